/**
 * The wallet's transfers and pgbench with the same SQL on the same PostgreSQL, in turns (design §4). The ratio is the
 * cost of our driver and mapping, since both share the function and the disk.
 */
import { uuidv7 } from '@karaar/db';
import type { Db } from '@karaar/service-wallet/db/schema';
import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';
import { credit, debit } from '@karaar/service-wallet/features/ledger/ledger.repository';
import { sql } from 'kysely';
import { closedLoop } from '../lib/closed-loop.ts';
import { fixedRate } from '../lib/fixed-rate.ts';

import { inTurns, ratioOf } from '../lib/peers.ts';
import { none, row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { withLedger } from './database.ts';
import { preparePgbench, SPREAD_ACCOUNTS, spreadAccountId, userId, USERS } from './pgbench.ts';

const ROUNDS = size('BENCH_ROUNDS', 6, 1);
const ROUND_S = size('BENCH_ROUND_S', 5, 1);
const WARM_UP_S = isSmoke ? 1 : 2;
/** Parallel callers: the pool of one wallet process. */
const CONCURRENCY = 10;
/** Parallel callers of several processes, which share the revenue account. */
const MANY = 40;
const RATE = isSmoke ? 20 : 200;
const PACED_MS = isSmoke ? 1_000 : 10_000;
const PLAIN = { description: 'Bench', reference: 'bench' };

export const measureTransfers = (): Promise<Measured> => withLedger(CONCURRENCY, measure);

async function measure(db: Db, url: string): Promise<Measured> {
  for (let user = 1; user <= USERS; user += 1)
    await credit(db, {
      ...{ idempotencyKey: `fund:${user}`, userId: userId(user), amountPaise: 1_000_000_000 },
      ...PLAIN,
    });
  const account = { kind: 'revenue' as const, updated_at: new Date() };
  await db
    .insertInto('accounts')
    .values(Array.from({ length: SPREAD_ACCOUNTS }, (_, i) => ({ id: spreadAccountId(i + 1), ...account })))
    .execute();
  const transfer = () => {
    const user = userId(1 + Math.floor(Math.random() * USERS));
    return debit(db, { idempotencyKey: uuidv7(), userId: user, amountPaise: 1, ...PLAIN });
  };
  const ours = async (seconds: number) =>
    (await closedLoop({ concurrency: CONCURRENCY, durationMs: seconds * 1_000, task: transfer })).throughput;
  const pgbench = await preparePgbench(url);
  try {
    await ours(WARM_UP_S);
    await pgbench.run(CONCURRENCY, WARM_UP_S);
    const samples = await inTurns(
      [
        { name: 'ours', measure: () => ours(ROUND_S) },
        { name: 'hot', measure: () => pgbench.run(CONCURRENCY, ROUND_S) },
        { name: 'spread', measure: () => pgbench.run(CONCURRENCY, ROUND_S, 'spread') },
      ],
      ROUNDS,
    );
    const of = (name: string) => samples.get(name) ?? [];
    const locksBefore = await nextMultixact(db);
    const crowded = await pgbench.run(MANY, ROUND_S);
    const locks = (await nextMultixact(db)) - locksBefore;
    const paced = await fixedRate({ rate: RATE, durationMs: PACED_MS, warmUpMs: 1_000, task: transfer });
    const ledger = await checkLedger(db);
    const rows = [
      row('wallet ledger', median(of('ours')), 'transfers/s', { note: `${CONCURRENCY} callers` }),
      row('pgbench', median(of('hot')), 'transfers/s', { note: `same SQL, ${pgbench.version}` }),
      row('wallet ledger ÷ pgbench', ratioOf(of('ours'), of('hot')), '×', {
        atLeast: 0.9,
        note: `median of ${ROUNDS} rounds in turns`,
      }),
      row('a hot revenue account ÷ spread ones, cost per transfer', ratioOf(of('spread'), of('hot')), '×', {
        atMost: 1.1,
        note: `${median(of('spread')).toFixed(0)} transfers/s into ${SPREAD_ACCOUNTS} accounts`,
      }),
      none(
        `lists of transactions that lock one row, made with ${MANY} clients`,
        locks,
        `at ${crowded.toFixed(0)} transfers/s`,
      ),
      row(`transfer at ${RATE}/s: p99`, paced.latency.p99, 'ms', {
        note: `p50 ${paced.latency.p50.toFixed(2)} ms of ${paced.offered} due; dropped ${paced.dropped}`,
      }),
      none('failed transfers', paced.failed + paced.dropped),
      row('|Σ entries|', Math.abs(Number(ledger.totalPaise)), 'paise', { atMost: 0 }),
      none('faults of the ledger (balances, entries, refusals)', ledger.faults.length),
    ];
    return { rows, data: { samples: Object.fromEntries(samples), paced } };
  } finally {
    pgbench.remove();
  }
}

/** Returns the next id of a multixact, a list of transactions that lock one row. A checkpoint updates it in the control file. */
async function nextMultixact(db: Db): Promise<number> {
  await sql`CHECKPOINT`.execute(db);
  const { rows } = await sql<{ next: string }>`
    SELECT next_multixact_id::text AS next FROM pg_control_checkpoint()`.execute(db);
  return Number(rows[0]?.next);
}
