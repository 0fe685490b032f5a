/**
 * `npm run bench -- faults [KILLS] [all]`: 1,000 random kills of wallet, payments, broker and database under load, or of
 * every part of the product.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { report } from '../lib/report.ts';
import { WEIGHTS } from './killer.ts';
import { runFaults } from './run.ts';

const kills = Number(process.argv[2] ?? 1_000);
const reach = process.argv[3] ?? 'money';
if (!Number.isInteger(kills) || kills < 1 || (reach !== 'money' && reach !== 'all'))
  throw new Error('Usage: npm run bench -- faults [KILLS] [all]');

const keepAlive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: join(await mkdtemp(join(tmpdir(), 'karaar-faults-')), 'state'),
  quiet: true,
  web: false,
  restartPauseMs: 20,
  env: { LOG_LEVEL: 'error', RATE_LIMIT_SENSITIVE_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '10000000' },
});
try {
  const run = await runFaults(product, WEIGHTS[reach], kills, console.log);
  for (const fault of [...run.lost, ...run.doubled, ...run.ledgerFaults].slice(0, 20))
    console.log(`FAULT ${fault}`);
  const none = { atMost: 0 };
  process.exitCode = report({
    name: reach === 'all' ? 'faults-all' : 'faults',
    rows: [
      {
        what: 'kills',
        value: Object.values(run.kills).reduce((a, b) => a + b),
        unit: '',
        note: JSON.stringify(run.kills),
      },
      { what: 'payments told as completed', value: run.payments, unit: '', budget: { atLeast: 1 } },
      { what: 'card payments captured', value: run.topUps, unit: '', budget: { atLeast: 1 } },
      { what: 'payments refused for the balance', value: run.refused, unit: '' },
      { what: 'lost', value: run.lost.length, unit: '', budget: none },
      { what: 'doubled', value: run.doubled.length, unit: '', budget: none },
      {
        what: 'faults of the ledger, negative balances',
        value: run.ledgerFaults.length,
        unit: '',
        budget: none,
      },
      { what: '|Σ entries|', value: Math.abs(Number(run.totalPaise)), unit: 'paise', budget: none },
    ],
    data: run,
  });
} finally {
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}
