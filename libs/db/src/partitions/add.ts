import { sql, type Kysely } from 'kysely';
import { defaultOf, type Partitioned } from './catalog.ts';
import { ensureSpans } from './upkeep.ts';

/**
 * Creates the default partition of a table made with `partition by range`, and the partitions from now until
 * `MONTHS_AHEAD`; later ones are created by the service's upkeep worker. Call it in the table's migration,
 * after its indexes and triggers.
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
  // PostgreSQL copies row triggers to partitions, but not statement triggers.
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal and tgtype::int & 1 = 0 order by tgname`.execute(
    db,
  );
  for (const { definition } of rows)
    await sql.raw(definition.replace(` ON public.${table} `, ` ON public.${spill} `)).execute(db);
  await ensureSpans(db, plan);
}
