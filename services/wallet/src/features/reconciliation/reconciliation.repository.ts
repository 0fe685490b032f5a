import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type { Db, ReconciliationTable } from '../../db/schema.ts';

export type RunRow = Selectable<ReconciliationTable>;
/** A run as the admins see it: `isUnderWay` is true from the moment that it is due until it ends. */
export type ObservedRun = RunRow & { isUnderWay: boolean };
export type Looked = { payments: number; refunds: number; disputes: number; settlements: number };

export const LEASE_MS = 60_000;
const RETRY_MS = 10 * 60_000;

// By the database's clock, which also sets both times: another clock may not have reached `next_at` yet.
const isUnderWay = sql<boolean>`next_at <= now() OR NOT ${isFree('lease_until')}`.as('isUnderWay');

export async function claimRun(db: Db): Promise<RunRow | undefined> {
  const [run] = await claimDue<RunRow>(db, {
    table: 'reconciliation',
    key: 'id',
    due: sql`next_at <= now() AND ${isFree('lease_until')}`,
    order: sql`id`,
    limit: 1,
    take: sql`attempts = attempts + 1, last_began_at = now(), lease_until = ${inMs(LEASE_MS)}`,
  });
  return run;
}

const mine = (run: RunRow) => sql`WHERE id = ${run.id} AND attempts = ${run.attempts}`;

/** Extends the lease; returns false if another worker has taken the run. */
export async function keepRun(db: Db, run: RunRow): Promise<boolean> {
  const done =
    await sql`UPDATE reconciliation SET lease_until = ${inMs(LEASE_MS)} ${mine(run)} RETURNING id`.execute(
      db,
    );
  return done.rows.length === 1;
}

/**
 * Marks the run as complete; the next one is due after `everyS` seconds, or earlier if an admin asked for it
 * meanwhile.
 */
export async function completeRun(db: Db, run: RunRow, looked: Looked, everyS: number): Promise<void> {
  await sql`
    UPDATE reconciliation SET lease_until = NULL, last_complete_at = now(), payments = ${looked.payments},
      refunds = ${looked.refunds}, disputes = ${looked.disputes}, settlements = ${looked.settlements},
      next_at = CASE WHEN next_at > last_began_at THEN next_at ELSE ${inMs(everyS * 1_000)} END
    ${mine(run)}`.execute(db);
}

/** Marks the run as failed; another attempt is due in ten minutes. */
export async function failRun(db: Db, run: RunRow): Promise<void> {
  await sql`UPDATE reconciliation SET lease_until = NULL, last_failed_at = now(), next_at = ${inMs(RETRY_MS)}
    ${mine(run)}`.execute(db);
}

export const readRun = (db: Db): Promise<ObservedRun> =>
  db
    .selectFrom('reconciliation')
    .selectAll()
    .select(isUnderWay)
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();

export const askForRun = (db: Db): Promise<ObservedRun> =>
  db
    .updateTable('reconciliation')
    .set({ next_at: sql<Date>`now()` })
    .where('id', '=', 1)
    .returningAll()
    .returning(isUnderWay)
    .executeTakeFirstOrThrow();
