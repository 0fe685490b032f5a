import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';

export type Claim = {
  table: string;
  /** The column that names a row. */
  key: string;
  /** Which rows may be taken: those that wait, and those whose lease has run out because their worker died. */
  due: RawBuilder<unknown>;
  /** Which first. */
  order: RawBuilder<unknown>;
  /** How many at most. */
  limit: number;
  /** What taking writes into a row, in the words of `SET`: the attempt, and until when it is leased. */
  take: RawBuilder<unknown>;
  /** Something of each row as it was before, answered with the row under this name. */
  before?: { name: string; value: RawBuilder<unknown> };
  /** Whether a crash of the database may forget the claim, which then happens again. */
  mayBeLost?: boolean;
};

/**
 * Takes rows for this worker alone: those that others take at the same moment are passed over, and nobody waits. The
 * claim is committed when this resolves, so that no lock is held during the work; who dies with a row leaves it due
 * again when the lease ends.
 *
 * @returns the rows as they are now, in no order
 */
export async function claimDue<Row>(db: QueryExecutorProvider, claim: Claim): Promise<Row[]> {
  const { table, key, due, order, limit, take, before, mayBeLost = false } = claim;
  const name = sql.table(table);
  const { rows } = await sql<Row>`
    WITH ${mayBeLost ? sql`${unhurried},` : sql``} due AS (
      SELECT ${sql.ref(key)} AS claimed_key ${before ? sql`, ${before.value} AS ${sql.ref(before.name)}` : sql``} FROM ${name}
      WHERE ${due} ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE ${name} SET ${take} FROM due ${mayBeLost ? sql`, unhurried` : sql``}
    WHERE ${name}.${sql.ref(key)} = due.claimed_key
    RETURNING ${name}.* ${before ? sql`, due.${sql.ref(before.name)}` : sql``}`.execute(db);
  return rows;
}

/** A moment from now, by the database's clock: the only one that all workers share. */
export const inMs = (ms: number): RawBuilder<Date> => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

/** A lease in this column that nobody holds or that has run out. */
export const isFree = (lease: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(lease)} IS NULL OR ${sql.ref(lease)} < now())`;

/**
 * A part of `WITH` that commits the statement around it without waiting for the disk, for what a crash of the database
 * may forget. The statement has to name it in its `FROM`.
 */
export const unhurried = sql`unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
