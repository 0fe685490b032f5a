/** The cost of proving a ledger of two years (ADR 0070) in full, and from the last closed period on. */
import { ensureSpans } from '@karaar/db/partitions';
import { CLEARING_ACCOUNT, REVENUE_ACCOUNT } from '@karaar/service-wallet/db/migrations/ledger.sql';
import type { Db } from '@karaar/service-wallet/db/schema';
import { checkLedger, proveOn } from '@karaar/service-wallet/features/ledger/ledger-check';
import { sql } from 'kysely';
import { row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { withLedger } from './database.ts';

const TRANSFERS = size('BENCH_TRANSFERS', 1_000_000, 2_000);
const MONTHS = 24;
const USERS = isSmoke ? 100 : 50_000;
const ROUNDS = isSmoke ? 1 : 3;

/** Inserts two years of transfers at an even rate as rows, because the ledger's function would date them all today. */
async function fill(db: Db): Promise<void> {
  const since = new Date();
  since.setUTCMonth(since.getUTCMonth() - MONTHS, 1);
  await ensureSpans(db, { table: 'entries', key: 'transfer_id', months: 12 }, since);
  await sql`INSERT INTO accounts (id, kind, balance_paise)
    SELECT ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'user', 0 FROM generate_series(1, ${USERS}::int) n`.execute(
    db,
  );
  await db.connection().execute(async (connection) => {
    await sql`SET session_replication_role = replica`.execute(connection);
    await sql`
      INSERT INTO transfers (id, idempotency_key, from_account, to_account, amount_paise, description, reference,
        balance_after_paise, created_at)
      SELECT uuidv7(ago), 'payment:' || n, CASE WHEN n % 3 = 0 THEN wallet ELSE ${CLEARING_ACCOUNT}::uuid END,
        CASE WHEN n % 3 = 0 THEN ${REVENUE_ACCOUNT}::uuid ELSE wallet END, CASE WHEN n % 3 = 0 THEN 100 ELSE 1000 END,
        'Payment for Rent agreement', gen_random_uuid()::text, 0, now() + ago
      FROM generate_series(1, ${TRANSFERS}::int) n,
        LATERAL (SELECT make_interval(secs => (n - ${TRANSFERS}::int) * ${MONTHS * 30.44 * 86_400}::float8 / ${TRANSFERS}::int) AS ago,
          ('00000000-0000-7000-9000-' || lpad((1 + n % ${USERS}::int)::text, 12, '0'))::uuid AS wallet) made`.execute(
      connection,
    );
    await sql`INSERT INTO entries (transfer_id, account_id, amount_paise)
      SELECT id, from_account, -amount_paise FROM transfers UNION ALL SELECT id, to_account, amount_paise FROM transfers
      ORDER BY 1`.execute(connection);
    await sql`UPDATE accounts a SET balance_paise = s.paise
      FROM (SELECT account_id, sum(amount_paise) AS paise FROM entries GROUP BY 1) s
      WHERE s.account_id = a.id AND a.kind = 'user'`.execute(connection);
    await sql`RESET session_replication_role`.execute(connection);
  });
  await sql`VACUUM (ANALYZE) transfers, entries, accounts`.execute(db);
}

type Cost = { seconds: number; rows: number };

/** Returns the number of rows that the database has read so far. */
async function rowsRead(db: Db): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  await sql`SELECT pg_sleep(0.1)`.execute(db);
  const { rows } = await sql<{ n: number }>`
    SELECT (sum(seq_tup_read) + sum(idx_tup_fetch))::bigint AS n FROM pg_stat_user_tables`.execute(db);
  return rows[0]?.n ?? Number.NaN;
}

/** Returns the median costs of some rounds. @throws Error when the proof finds a fault */
async function costOf(
  db: Db,
  prove: (on: Db) => Promise<{ faults: readonly unknown[] }>,
  rounds = ROUNDS,
): Promise<Cost> {
  const costs: Cost[] = [];
  while (costs.length < rounds) {
    const before = await rowsRead(db);
    const begun = performance.now();
    const { faults } = await prove(db);
    const seconds = (performance.now() - begun) / 1_000;
    if (faults.length > 0) throw new Error(`The ledger has faults: ${JSON.stringify(faults.slice(0, 3))}`);
    costs.push({ seconds, rows: (await rowsRead(db)) - before });
  }
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return { seconds: of('seconds'), rows: of('rows') };
}

export const measureProof = (): Promise<Measured> =>
  withLedger(2, async (db) => {
    await fill(db);
    const running = (on: Db) => proveOn(on, 1 / 24);
    const before = await costOf(db, checkLedger);
    const closing = await costOf(db, running, 1);
    await sql`VACUUM (ANALYZE) ledger_periods, ledger_account_sums`.execute(db);
    const closed = await costOf(db, running);
    const after = await costOf(db, checkLedger);
    const cost = (what: string, { seconds, rows }: Cost) => row(what, seconds, 's', { note: `${rows} rows` });
    return {
      rows: [
        cost('all rows, before a period is closed', before),
        cost('the first running proof, which closes the periods', closing),
        cost('a later running proof', closed),
        cost('all rows and the stored sums', after),
        row('rows of a running proof ÷ rows of a full one', closed.rows / before.rows, '×', {
          atMost: 0.25,
        }),
      ],
      data: { before, closing, closed, after },
    };
  });
