/**
 * The schedule and results of the proofs: one row with a lease, so that only one replica proves the ledger at
 * a time.
 */
import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type { Db, LedgerProofTable } from '../../db/schema.ts';

export type ProofRow = Selectable<LedgerProofTable>;

/** The lease of a proof, which heartbeats extend. */
export const LEASE_MS = 60_000;
const RETRY_MS = 5 * 60_000;

export async function claimProof(db: Db): Promise<ProofRow | undefined> {
  const [proof] = await claimDue<ProofRow>(db, {
    table: 'ledger_proof',
    key: 'id',
    due: sql`next_at <= now() AND ${isFree('lease_until')}`,
    order: sql`id`,
    limit: 1,
    take: sql`attempts = attempts + 1, lease_until = ${inMs(LEASE_MS)}`,
  });
  return proof;
}

const mine = (proof: ProofRow) => sql`WHERE id = ${proof.id} AND attempts = ${proof.attempts}`;

/** Extends the lease; returns false if another replica has taken the proof. */
export async function keepProof(db: Db, proof: ProofRow): Promise<boolean> {
  const { rows } = await sql`
    UPDATE ledger_proof SET lease_until = ${inMs(LEASE_MS)} ${mine(proof)} RETURNING id`.execute(db);
  return rows.length === 1;
}

/** Stores the result; the next proof is due after `everyS` seconds. */
export async function completeProof(
  db: Db,
  proof: ProofRow,
  { faults, everyS }: { faults: number; everyS: number },
): Promise<void> {
  await sql`
    UPDATE ledger_proof SET lease_until = NULL, checked_at = now(), faults = ${faults},
      next_at = ${inMs(everyS * 1_000)} ${mine(proof)}`.execute(db);
}

/** Schedules another attempt in five minutes. */
export async function failProof(db: Db, proof: ProofRow): Promise<void> {
  await sql`UPDATE ledger_proof SET lease_until = NULL, next_at = ${inMs(RETRY_MS)} ${mine(proof)}`.execute(
    db,
  );
}

export async function noteWhole(db: Db, faults: number): Promise<void> {
  await sql`UPDATE ledger_proof SET whole_at = now(), whole_faults = ${faults} WHERE id = 1`.execute(db);
}

/** Returns true if the last proof of all rows is older than this, by the database's clock. */
export async function wholeIsOlderThan(db: Db, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    SELECT whole_at < now() - make_interval(secs => ${seconds}) AS old FROM ledger_proof WHERE id = 1`.execute(
    db,
  );
  return rows[0]?.old === true;
}

export const readProof = (db: Db): Promise<ProofRow> =>
  db.selectFrom('ledger_proof').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
