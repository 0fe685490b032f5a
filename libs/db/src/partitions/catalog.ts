import { CompiledQuery, sql, type Kysely } from 'kysely';
import { momentOf, type Span } from './bounds.ts';

/** A table partitioned by the time in its ids (UUIDv7). */
export type Partitioned = {
  table: string;
  key: string;
  months: number;
};

/** Returns the partitioned tables of this database; empty before its migrations. */
export async function partitionedTables<DB>(db: Kysely<DB>): Promise<Partitioned[]> {
  const { rows: there } = await sql<{ it: string | null }>`
    select to_regclass('partitioned_tables') as it`.execute(db);
  if (there[0]?.it === null) return [];
  const { rows } = await sql<Partitioned>`
    select name as "table", key_column as "key", months from partitioned_tables order by name`.execute(db);
  return rows;
}

/** Lists the partitions of the table in its one parameter; `partitionOf` parses a row. */
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

/** Converts the id bounds of a row to times, `to` exclusive. @throws Error for a bound that is not an id */
export const partitionOf = ({ name, lower, upper }: PartitionRow): Span => ({
  name,
  from: momentOf(lower),
  to: momentOf(upper),
});

/** Returns the partitions of a table, oldest first, without the default one. */
export async function partitionsOf<DB>(db: Kysely<DB>, table: string): Promise<Span[]> {
  const { rows } = await db.executeQuery<PartitionRow>(CompiledQuery.raw(PARTITIONS_SQL, [table]));
  return rows.map(partitionOf);
}

/** Returns the name of the default partition, for rows without a partition of their own. */
export const defaultOf = (table: string): string => `${table}_default`;
