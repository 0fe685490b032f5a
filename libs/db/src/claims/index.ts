import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { prepared } from '../db-kit/index.ts';

export type Claim = {
  table: string;
  key: string;
  /**
   * Condition for rows that may be taken: waiting ones, and those whose lease expired because their worker
   * died.
   */
  due: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  limit: number;
  /** The SET clause of a claim: the attempt, and the end of the lease. */
  take: RawBuilder<unknown>;
  /** An expression over the row before the change, returned under this name. */
  before?: { name: string; value: RawBuilder<unknown> };
  /** True if a database crash may lose the claim, which is then repeated. */
  mayBeLost?: boolean;
  /**
   * For a very frequent claim of a constant text: the name of its prepared statement, and the columns to return
   * (by default all).
   */
  prepared?: { name: string; columns: readonly string[] };
};

/**
 * Leases rows for this worker; skips rows that other workers are leasing. The claim is committed when this
 * resolves, so that no lock is held during the work; if the worker dies, the row is due again when the lease
 * ends.
 *
 * @returns the rows after the claim, in any order
 */
export async function claimDue<Row>(db: QueryExecutorProvider, claim: Claim): Promise<Row[]> {
  const { table, key, due, order, limit, take, before, mayBeLost = false, prepared: as } = claim;
  const name = sql.table(table);
  const returned = as ? sql.join(as.columns.map((column) => sql.ref(`${table}.${column}`))) : sql`${name}.*`;
  const statement = sql<Row>`
    WITH ${mayBeLost ? sql`${unhurried},` : sql``} due AS (
      SELECT ${sql.ref(key)} AS claimed_key ${before ? sql`, ${before.value} AS ${sql.ref(before.name)}` : sql``} FROM ${name}
      WHERE ${due} ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE ${name} SET ${take} FROM due ${mayBeLost ? sql`, unhurried` : sql``}
    WHERE ${name}.${sql.ref(key)} = due.claimed_key
    RETURNING ${returned} ${before ? sql`, due.${sql.ref(before.name)}` : sql``}`;
  const { rows } = await (as ? prepared(as.name, statement) : statement).execute(db);
  return rows;
}

/** Returns a moment from now by the database's clock, the only one that all workers share. */
export const inMs = (ms: number): RawBuilder<Date> => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

/** Returns the condition that the lease in this column is unset or expired. */
export const isFree = (lease: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(lease)} IS NULL OR ${sql.ref(lease)} < now())`;

/**
 * A part of `WITH` that commits the statement without waiting for the disk, for changes that a database crash
 * may lose. The statement must name it in its `FROM`.
 */
export const unhurried = sql`unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
