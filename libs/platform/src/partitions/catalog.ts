/** What the database says of its partitioned tables. */
import { CompiledQuery, sql, type Kysely } from 'kysely';
import { momentOf, type Span } from './bounds.ts';

/** A table that is divided by ranges of the time in its ids (UUIDv7). */
export type Partitioned = {
  table: string;
  /** The column of ids by which it is divided. */
  key: string;
  /** How many months one partition is for. */
  months: number;
};

/** The divided tables of this database; none before its migrations have run. */
export async function partitionedTables<DB>(db: Kysely<DB>): Promise<Partitioned[]> {
  const { rows: there } = await sql<{ it: string | null }>`
    select to_regclass('partitioned_tables') as it`.execute(db);
  if (there[0]?.it === null) return [];
  const { rows } = await sql<Partitioned>`
    select name as "table", key_column as "key", months from partitioned_tables order by name`.execute(db);
  return rows;
}

/** The partitions of the table that is its one parameter, as the database has them; `partitionOf` reads a row. */
export const PARTITIONS_SQL = `
  select child.relname as name,
    substring(bound.text from 'FROM \\(''([^'']+)''\\)') as lower,
    substring(bound.text from 'TO \\(''([^'']+)''\\)') as upper
  from pg_inherits
  join pg_class child on child.oid = inhrelid
  cross join lateral (select pg_get_expr(child.relpartbound, child.oid) as text) bound
  where inhparent = $1::regclass and bound.text <> 'DEFAULT'
  order by upper`;
export type PartitionRow = { name: string; lower: string; upper: string };

export const partitionOf = ({ name, lower, upper }: PartitionRow): Span => ({
  name,
  from: momentOf(lower),
  to: momentOf(upper),
});

/** The partitions of a table with ends, oldest first; the default one is not among them. */
export async function partitionsOf<DB>(db: Kysely<DB>, table: string): Promise<Span[]> {
  const { rows } = await db.executeQuery<PartitionRow>(CompiledQuery.raw(PARTITIONS_SQL, [table]));
  return rows.map(partitionOf);
}

/** Where the rows go that no partition is for. */
export const defaultOf = (table: string): string => `${table}_default`;
