/**
 * Makes a table one that is divided by time, in a migration.
 *
 * Frozen: migrations that have run somewhere call this, so it never changes (tools/frozen.json, ADR 0050).
 */
import { sql, type Kysely } from 'kysely';
import {
  defaultOf,
  definitions,
  ensureSpans,
  idAt,
  onto,
  spanOf,
  triggersOf,
  withoutTriggers,
  type Partitioned,
} from './spans.ts';

/**
 * Divides a table by ranges of the time in its ids (UUIDv7). Its name, columns, indexes, constraints and triggers stay;
 * every unique index must contain the key already, since Postgres has none across partitions.
 *
 * Rows that are there are not copied: their table becomes the partition of everything until the current span ends, so
 * that the migration of a large table takes as long as reading it once. Without rows there is no such partition.
 *
 * @throws when a foreign key points to the table, or a name of it is not understood
 */
export async function partitionByTime<DB>(db: Kysely<DB>, plan: Partitioned): Promise<void> {
  const { table, key } = plan;
  const before = `${table}_before`;
  await register(db, plan);
  await expectNoReferences(db, table);
  const indexes = await definitions(db, indexesOf(table));
  const constraints = await definitions(db, constraintsOf(table));
  const rowTriggers = await definitions(db, triggersOf(table, 'row'));
  const statementTriggers = await definitions(db, triggersOf(table, 'statement'));

  await sql`alter table ${sql.table(table)} rename to ${sql.table(before)}`.execute(db);
  for (const { name } of [...indexes, ...constraints.filter(({ definition }) => isKey(definition))])
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(`${name}_before`)}`.execute(db);
  await sql`
    create table ${sql.table(table)} (like ${sql.table(before)} including all excluding indexes)
    partition by range (${sql.ref(key)})`.execute(db);
  await moveSequences(db, before, table);
  for (const { name, definition } of constraints)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      db,
    );
  for (const { definition } of indexes) await sql.raw(onto(definition, table, table)).execute(db);
  for (const { name } of rowTriggers)
    await sql`drop trigger ${sql.ref(name)} on ${sql.table(before)}`.execute(db);
  for (const { definition } of [...rowTriggers, ...statementTriggers]) await sql.raw(definition).execute(db);

  const spill = defaultOf(table);
  await sql`create table ${sql.table(spill)} partition of ${sql.table(table)} default`.execute(db);
  for (const { definition } of statementTriggers) await sql.raw(onto(definition, table, spill)).execute(db);
  await attachBefore(db, plan, before);
  await ensureSpans(db, plan);
}

async function register<DB>(db: Kysely<DB>, { table, key, months }: Partitioned): Promise<void> {
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
}

async function attachBefore<DB>(
  db: Kysely<DB>,
  { table, key, months }: Partitioned,
  before: string,
): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(before)} limit 1`.execute(db);
  if (rows.length === 0) {
    await sql`drop table ${sql.table(before)}`.execute(db);
    return;
  }
  const { rows: clock } = await sql<{ now: Date }>`select now()`.execute(db);
  const end = idAt(spanOf(clock[0]?.now ?? new Date(), months).to);
  // Ids that carry no time, from before they did, have no place in a range.
  await withoutTriggers(db, before, async () => {
    await sql`
      with moved as (delete from ${sql.table(before)} where ${sql.ref(key)} >= ${end} returning *)
      insert into ${sql.table(defaultOf(table))} select * from moved`.execute(db);
  });
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(before)}
    for values from (minvalue) to (${sql.lit(end)})`.execute(db);
}

async function moveSequences<DB>(db: Kysely<DB>, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ sequence: string; column: string }>`
    select s.relname as sequence, a.attname as column
    from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where d.refobjid = ${from}::regclass and d.deptype = 'a'`.execute(db);
  for (const { sequence, column } of rows)
    await sql`alter sequence ${sql.ref(sequence)} owned by ${sql.ref(`${to}.${column}`)}`.execute(db);
}

async function expectNoReferences<DB>(db: Kysely<DB>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where confrelid = ${table}::regclass and contype = 'f'`.execute(
    db,
  );
  if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join()} points to ${table}`);
}

const isKey = (definition: string): boolean => /^(PRIMARY KEY|UNIQUE)/.test(definition);

/** Indexes that are no constraint's. */
const indexesOf = (table: string) => sql<{ name: string; definition: string }>`
  select c.relname as name, pg_get_indexdef(c.oid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = ${table}::regclass
    and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = i.indrelid)
  order by c.relname`;

/** Keys and references; checks come with the columns. */
const constraintsOf = (table: string) => sql<{ name: string; definition: string }>`
  select conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = ${table}::regclass and contype in ('p', 'u', 'f') order by contype, conname`;
