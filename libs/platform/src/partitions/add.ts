/** The first partitions of a new table. */
import { sql, type Kysely } from 'kysely';
import { defaultOf, type Partitioned } from './catalog.ts';
import { ensureSpans } from './upkeep.ts';

/**
 * Makes the default partition of a table that was created with `partition by range`, and those from now until
 * `MONTHS_AHEAD`; from then on the service's keeper makes them. Call it in the migration that creates the table, behind the
 * table's indexes and triggers.
 */
export async function addPartitions<DB>(db: Kysely<DB>, plan: Partitioned): Promise<void> {
  const { table, key, months } = plan;
  await sql`
    create table if not exists partitioned_tables (
      name text primary key,
      key_column text not null,
      months integer not null check (months > 0)
    )`.execute(db);
  await sql`
    insert into partitioned_tables (name, key_column, months) values (${table}, ${key}, ${months})`.execute(
    db,
  );
  const spill = defaultOf(table);
  await sql`create table ${sql.table(spill)} partition of ${sql.table(table)} default`.execute(db);
  // PostgreSQL gives partitions the triggers per row, but not those per statement.
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal and tgtype::int & 1 = 0 order by tgname`.execute(
    db,
  );
  for (const { definition } of rows)
    await sql.raw(definition.replace(` ON public.${table} `, ` ON public.${spill} `)).execute(db);
  await ensureSpans(db, plan);
}
