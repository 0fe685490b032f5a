/**
 * The wallet's ledger transfer against pgbench, which runs the same SQL on the same Postgres, in the
 * same run, in turns (design §4). What lies between the two is our driver and mapping; what both share,
 * the function and the disk, cancels out. And the one revenue account of all against a thousand of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@karaar/testing/backing/backing';
import { createDb, migrateToLatest, uuidv7 } from '@karaar/platform/db-kit';
import { migrations } from '@karaar/service-wallet/db/migrations/index';
import type { Database } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { credit, debit } from '@karaar/service-wallet/features/ledger/ledger.repository';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate } from '../lib/fixed-rate.ts';
import { inTurns, ratioOf } from '../lib/peers.ts';
import { report } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { multixactsOf } from './multixacts.ts';
import { preparePgbench } from './pgbench.ts';
import { SPREAD_ACCOUNTS, spreadAccountId, userId, USERS } from './users.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_S = size('BENCH_ROUND_S', 5, 1);
const WARM_UP_S = isSmoke ? 1 : 2;
/** Callers at once: what one wallet process has in its pool. */
const CONCURRENCY = 10;
/** Callers at once of several processes: what shares the revenue account then. */
const MANY = 40;
const RATE = isSmoke ? 20 : 200;
const PACED_MS = isSmoke ? 1_000 : 10_000;
const FUNDS_PAISE = 1_000_000_000;

const pgbench = preparePgbench();
const stateDir = mkdtempSync(join(tmpdir(), 'karaar-bench-'));
const backing = await startBacking({ stateDir, only: ['postgres'], env: {} });
const db = createDb<Database>({
  url: backing.postgresUrl,
  max: CONCURRENCY,
  applicationName: 'bench-ledger',
});
try {
  await migrateToLatest(db, migrations);
  for (let user = 1; user <= USERS; user += 1) {
    await credit(db, {
      idempotencyKey: `fund:${user}`,
      userId: userId(user),
      amountPaise: FUNDS_PAISE,
      description: 'Bench',
      reference: 'bench',
    });
  }
  const spreadAccounts = Array.from({ length: SPREAD_ACCOUNTS }, (_, i) => ({
    id: spreadAccountId(i + 1),
    kind: 'revenue' as const,
  }));
  const now = { version: 0, updated_at: new Date() };
  await db
    .insertInto('accounts')
    .values(spreadAccounts.map((account) => ({ ...account, ...now })))
    .execute();
  const transfer = () =>
    debit(db, {
      idempotencyKey: uuidv7(),
      userId: userId(1 + Math.floor(Math.random() * USERS)),
      amountPaise: 1,
      description: 'Bench',
      reference: 'bench',
    });

  const ours = async (seconds: number) =>
    (await closedLoop({ concurrency: CONCURRENCY, durationMs: seconds * 1_000, task: transfer })).throughput;
  const theirs = (seconds: number, to?: 'hot' | 'spread') =>
    pgbench.run({ url: backing.postgresUrl, clients: CONCURRENCY, seconds, ...(to ? { to } : {}) });

  console.log('warming up');
  await ours(WARM_UP_S);
  await theirs(WARM_UP_S);
  const peers = [
    { name: 'wallet ledger', measure: () => ours(ROUND_S) },
    { name: 'pgbench', measure: () => theirs(ROUND_S) },
    { name: 'pgbench, spread', measure: () => theirs(ROUND_S, 'spread') },
  ];
  const samples = await inTurns(peers, ROUNDS, (line) => console.log(line));
  const ourTps = samples.get('wallet ledger') ?? [];
  const theirTps = samples.get('pgbench') ?? [];
  const spreadTps = samples.get('pgbench, spread') ?? [];

  console.log(`locks that are shared, with ${MANY} clients`);
  const shared = await multixactsOf(db, () =>
    pgbench.run({ url: backing.postgresUrl, clients: MANY, seconds: ROUND_S }),
  );

  console.log(`latency at ${RATE}/s`);
  const paced = await fixedRate({ rate: RATE, durationMs: PACED_MS, warmUpMs: 1_000, task: transfer });
  const ledger = await checkLedger(db);

  process.exitCode = report({
    name: 'ledger',
    rows: [
      { what: 'wallet ledger', value: median(ourTps), unit: 'transfers/s', note: `${CONCURRENCY} callers` },
      { what: 'pgbench', value: median(theirTps), unit: 'transfers/s', note: `same SQL, ${pgbench.version}` },
      {
        what: 'wallet ledger ÷ pgbench',
        value: ratioOf(ourTps, theirTps),
        unit: '×',
        budget: { atLeast: 0.9 },
        note: `median of ${ROUNDS} rounds in turns`,
      },
      {
        what: 'a hot revenue account ÷ spread ones, cost per transfer',
        value: ratioOf(spreadTps, theirTps),
        unit: '×',
        budget: { atMost: 1.1 },
        note: `${median(spreadTps).toFixed(0)} transfers/s into ${SPREAD_ACCOUNTS} accounts`,
      },
      {
        what: `lists of transactions that lock one row, made with ${MANY} clients`,
        value: shared.made,
        unit: '',
        budget: { atMost: 0 },
        note: `at ${shared.result.toFixed(0)} transfers/s`,
      },
      {
        what: `transfer at ${RATE}/s: p99`,
        value: paced.latency.p99,
        unit: 'ms',
        note: `p50 ${paced.latency.p50.toFixed(2)} ms of ${paced.offered} due; dropped ${paced.dropped}`,
      },
      { what: 'failed transfers', value: paced.failed + paced.dropped, unit: '', budget: { atMost: 0 } },
      {
        what: '|Σ entries|',
        value: Math.abs(Number(ledger.totalPaise)),
        unit: 'paise',
        budget: { atMost: 0 },
      },
      {
        what: 'faults of the ledger (balances, entries, refusals)',
        value: ledger.faults.length,
        unit: '',
        budget: { atMost: 0 },
      },
    ],
    data: { samples: Object.fromEntries(samples), paced },
  });
} finally {
  await db.destroy();
  await backing.stop({ remove: true });
  rmSync(stateDir, { recursive: true, force: true });
  pgbench.remove();
}
