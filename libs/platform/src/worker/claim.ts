import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';

export type Claim = {
  table: string;
  /** The column that identifies a row. */
  key: string;
  /** Which rows may be taken: those that wait, and those whose lease has run out because their worker died. */
  due: RawBuilder<unknown>;
  /** Which first. */
  order: RawBuilder<unknown>;
  /** How many at most. */
  limit: number;
  /** What taking writes into a row, in the words of `SET`: the attempt, and until when it is leased. */
  take: RawBuilder<unknown>;
  /** An expression over the row before the change, returned with the row under this name. */
  before?: { name: string; value: RawBuilder<unknown> };
  /** Whether a crash of the database may lose the claim, which is then made again. */
  mayBeLost?: boolean;
  /**
   * For a claim that is made very often: the columns to return, all of them when not given, and a name under which each
   * connection keeps the plan (`createDb`). The text of the claim must never change then, only its parameters.
   */
  kept?: { name: string; columns: readonly string[] };
};

/**
 * Leases rows for this worker: rows that other workers lease at the same moment are skipped without waiting. The
 * claim is committed when this resolves, so that no lock is held during the work; if the worker dies, the row is due
 * again when the lease ends.
 *
 * @returns the rows as they are now, in no order
 */
export async function claimDue<Row>(db: QueryExecutorProvider, claim: Claim): Promise<Row[]> {
  const { table, key, due, order, limit, take, before, mayBeLost = false, kept } = claim;
  const name = sql.table(table);
  const returned = kept
    ? sql.join(kept.columns.map((column) => sql.ref(`${table}.${column}`)))
    : sql`${name}.*`;
  const { rows } = await sql<Row>`
    ${kept ? sql.raw(`/*keep ${kept.name}*/`) : sql``} WITH ${mayBeLost ? sql`${unhurried},` : sql``} due AS (
      SELECT ${sql.ref(key)} AS claimed_key ${before ? sql`, ${before.value} AS ${sql.ref(before.name)}` : sql``} FROM ${name}
      WHERE ${due} ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE ${name} SET ${take} FROM due ${mayBeLost ? sql`, unhurried` : sql``}
    WHERE ${name}.${sql.ref(key)} = due.claimed_key
    RETURNING ${returned} ${before ? sql`, due.${sql.ref(before.name)}` : sql``}`.execute(db);
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
