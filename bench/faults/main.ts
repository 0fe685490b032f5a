/**
 * `npm run bench -- faults [KILLS] [all]`: 1,000 random kills of wallet, payments, broker and database under load, or of
 * every part of the product. It judges what it has when it is told to end (SIGTERM, SIGINT) or after `BENCH_SECONDS`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { makeModels } from '@karaar/testing/faces/models';
import { bundled } from '../lib/bundles.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { endingOf } from './ending.ts';
import { Killer, SERVICES, WEIGHTS } from './killer.ts';
import { runFaults } from './run.ts';
import { unlimited } from './unlimited.ts';

const kills = Number(process.argv[2] ?? (isSmoke ? 4 : 1_000));
const reach = process.argv[3] ?? 'money';
const seconds = process.env['BENCH_SECONDS'];
if (!Number.isInteger(kills) || kills < 1 || (reach !== 'money' && reach !== 'all'))
  throw new Error('Usage: npm run bench -- faults [KILLS] [all]');

const ending = endingOf(seconds === undefined ? undefined : Number(seconds));
const keepAlive = setInterval(() => undefined, 60_000);
const folder = await mkdtemp(join(tmpdir(), 'karaar-faults-'));
console.log('bundling the parts as their images have them');
const entries = await bundled(isSmoke ? ['wallet', 'payments'] : SERVICES, join(folder, 'bundles'));
const product = await startProduct({
  stateDir: join(folder, 'state'),
  entries,
  quiet: true,
  web: false,
  restartPauseMs: 20,
  env: {
    LOG_LEVEL: 'error',
    MODELS_DIR: await makeModels(),
    ...unlimited,
  },
});

/** How long each part was away after a kill. */
const downRows = ({ downs }: Killer): Row[] =>
  [...downs]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, all]) => ({
      what: `${name}: away, median`,
      value: median(all),
      unit: 'ms',
      note: `${all.length} kills, at most ${(Math.max(...all) / 1_000).toFixed(1)} s`,
    }));

try {
  const killer = new Killer(product, WEIGHTS[reach]);
  const run = await runFaults(product, killer, {
    ...{ reach, times: kills, tellEvery: 20, settleMs: 120_000 },
    ...{ ending, log: console.log },
  });
  const { told } = run;
  for (const fault of [...run.lost, ...run.doubled, ...run.ledgerFaults, ...run.wrong].slice(0, 30))
    console.log(`FAULT ${fault}`);
  for (const open of run.underWay) console.log(`STILL UNDER WAY ${open}`);
  const none = { atMost: 0 };
  const some = { atLeast: 1 };
  const count = (what: string, value: number, budget?: Row['budget']): Row => ({
    what,
    value,
    unit: '',
    ...(budget === undefined ? {} : { budget }),
  });
  process.exitCode = report({
    name: reach === 'all' ? 'faults-all' : 'faults',
    rows: [
      {
        ...count('kills', killer.done, { atLeast: kills }),
        note: run.endedBy === undefined ? '' : `ended early: ${run.endedBy}`,
      },
      ...downRows(killer),
      count('payments told as completed', told.paid.size, some),
      count('card payments captured', told.captured.size, some),
      count('payments refused for the balance', told.refused),
      count('payments reversed by an admin', told.reversed.size),
      ...(reach === 'all'
        ? [
            count('messages sent', told.messages.size, some),
            count('people registered', told.people.size, some),
            count('agreements sealed', told.sealed.size, some),
            count('pages published', told.pages.size, some),
          ]
        : []),
      count('lost', run.lost.length, none),
      count('doubled', run.doubled.length, none),
      count('faults of the ledger, negative balances', run.ledgerFaults.length, none),
      { ...count('|Σ entries|', Math.abs(Number(run.totalPaise)), none), unit: 'paise' },
      count('wrong answers and states', run.wrong.length, none),
      count('still under way at the end', run.underWay.length, none),
    ],
    data: { ...run, kills: killer.byPart, told: undefined },
  });
} finally {
  await product.stop({ remove: true });
  await rm(folder, { recursive: true, force: true });
  clearInterval(keepAlive);
}
