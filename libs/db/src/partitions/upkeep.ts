/** Creates partitions ahead of time and drops those whose rows are all unneeded. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { idAt, monthAfter, spanOf, spansBetween, type Span } from './bounds.ts';
import { defaultOf, partitionsOf, type Partitioned } from './catalog.ts';

/** Months of partitions created ahead: upkeep may fail for that long without harm. */
export const MONTHS_AHEAD = 3;

/**
 * Creates the missing partitions from `since` (by default now) until `MONTHS_AHEAD` from now. Rows in the
 * default partition move into theirs.
 * @returns the names of the created partitions
 */
export async function ensureSpans<DB>(db: Kysely<DB>, plan: Partitioned, since?: Date): Promise<string[]> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  const now = rows[0]?.now ?? new Date();
  const there = await partitionsOf(db, plan.table);
  const made: string[] = [];
  for (const span of spansBetween(since ?? now, monthAfter(now, MONTHS_AHEAD), plan.months)) {
    if (there.some((partition) => covers(partition, span))) continue;
    const name = `${plan.table}_${span.name}`;
    await create(db, plan, { ...span, name });
    made.push(name);
  }
  return made;
}

const covers = ({ from, to }: Span, span: Span): boolean => from <= span.from && to >= span.to;

async function create<DB>(db: Kysely<DB>, { table }: Partitioned, { name, from, to }: Span): Promise<void> {
  await sql`select make_partition(${table}, ${name}, ${idAt(from)}, ${idAt(to)})`.execute(db);
}

/**
 * Gives an empty table the partitions of a backed-up table, for its restored rows, and those ahead.
 * @throws Error if the table has rows
 */
export async function remakePartitions<DB>(
  db: Kysely<DB>,
  plan: Partitioned,
  partitions: readonly Span[],
): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(plan.table)} limit 1`.execute(db);
  if (rows.length > 0) throw new Error(`${plan.table} is not empty`);
  for (const { name } of await partitionsOf(db, plan.table))
    await sql`drop table ${sql.table(name)}`.execute(db);
  for (const partition of partitions) await create(db, plan, partition);
  await ensureSpans(db, plan);
}

/** How long a table's rows are kept. */
export type Retention = {
  table: string;
  /** Days after the end of its span before a partition is considered. */
  days: number;
  /** Condition for rows that are still needed. A partition with such a row is kept whole. */
  kept: RawBuilder<boolean>;
};

/**
 * Drops old partitions without needed rows, and deletes such rows from the default partition.
 * @returns the names of the dropped partitions
 */
export async function dropPast<DB>(db: Kysely<DB>, { table, days, kept }: Retention): Promise<string[]> {
  const { rows } = await sql<{ past: Date }>`
    select now() - make_interval(days => ${days}::int) as past`.execute(db);
  const past = rows[0]?.past;
  const dropped: string[] = [];
  for (const { name, to } of await partitionsOf(db, table)) {
    if (past === undefined || to > past) continue;
    const { rows: needed } = await sql`select 1 from ${sql.table(name)} where ${kept} limit 1`.execute(db);
    if (needed.length > 0) continue;
    await sql`select drop_partition(${name})`.execute(db);
    dropped.push(name);
  }
  await sql`delete from ${sql.table(defaultOf(table))} where not (${kept})`.execute(db);
  return dropped;
}

export type PartitionState = {
  table: string;
  partitions: number;
  /** Number of months from now without a gap. */
  monthsAhead: number;
  /** Current or future rows in the default partition, because theirs was missing. */
  misplaced: number;
};

const MONTH_MS = (365.25 / 12) * 24 * 60 * 60 * 1_000;

/** Returns the state of a partitioned table. */
export async function stateOf<DB>(
  db: Kysely<DB>,
  { table, key, months }: Partitioned,
): Promise<PartitionState> {
  const there = await partitionsOf(db, table);
  const now = new Date();
  let end = spanOf(now, months).from;
  for (const { from, to } of there) if (from <= end && to > end) end = to;
  // Ids without a timestamp are above every real span.
  const beyond = new Date(Date.UTC(now.getUTCFullYear() + 10, 0));
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(defaultOf(table))}
    where ${sql.ref(key)} >= ${idAt(spanOf(now, months).from)} and ${sql.ref(key)} < ${idAt(beyond)}`.execute(
    db,
  );
  return {
    table,
    partitions: there.length,
    monthsAhead: Math.max(0, (end.getTime() - now.getTime()) / MONTH_MS),
    misplaced: rows[0]?.count ?? 0,
  };
}
