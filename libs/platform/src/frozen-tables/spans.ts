/**
 * Spans of time and the partitions for them, as the migrations found them.
 *
 * Frozen: migrations that have run somewhere call this, so it never changes (tools/frozen.json, ADR 0050).
 */
import { CompiledQuery, sql, type Kysely } from 'kysely';

/** A table that was made by `partitionByTime`. */
export type Partitioned = {
  table: string;
  /** The column of ids by which it is divided. */
  key: string;
  /** How many months one partition is for. */
  months: number;
};

export type Partition = {
  name: string;
  /** Null for the rows from before the table was divided, which have no lower end. */
  from: Date | null;
  to: Date;
};

/** A partition's time: a whole number of months of UTC, `months` of them. */
export type Span = { name: string; from: Date; to: Date };

/** The span that a moment lies in. Spans of a year begin in January, of three months in January, April and so on. */
export function spanOf(moment: Date, months: number): Span {
  const count = moment.getUTCFullYear() * 12 + moment.getUTCMonth();
  return spanFrom(count - (count % months), months);
}

/** The span right after one. */
export const nextSpan = ({ to }: Span, months: number): Span => spanOf(to, months);

function spanFrom(count: number, months: number): Span {
  const start = (at: number): Date => new Date(Date.UTC(Math.floor(at / 12), at % 12));
  const from = start(count);
  const name = from.toISOString().slice(0, 7).replace('-', '_');
  return { name, from, to: start(count + months) };
}

/** The smallest id of a moment; every UUIDv7 made then or later is not below it. */
export function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The moment at which a span's bound lies. @throws on what is no id */
export function momentOf(id: string): Date {
  const ms = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(id)
    ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new Error('A bound of a partition is no id');
  return new Date(ms);
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
export type PartitionRow = { name: string; lower: string | null; upper: string };

export const partitionOf = ({ name, lower, upper }: PartitionRow): Partition => ({
  name,
  from: lower === null ? null : momentOf(lower),
  to: momentOf(upper),
});

/** The partitions of a table with ends, oldest first; the default one is not among them. */
export async function partitionsOf<DB>(db: Kysely<DB>, table: string): Promise<Partition[]> {
  const { rows } = await db.executeQuery<PartitionRow>(CompiledQuery.raw(PARTITIONS_SQL, [table]));
  return rows.map(partitionOf);
}

/** Where the rows go that no partition is for. */
export const defaultOf = (table: string): string => `${table}_default`;

/** One row's statement of a trigger, index or constraint, as the database writes it. */
export async function definitions<DB>(
  db: Kysely<DB>,
  query: ReturnType<typeof sql<{ name: string; definition: string }>>,
): Promise<{ name: string; definition: string }[]> {
  return (await query.execute(db)).rows;
}

/** Triggers of a table that are not the database's own: those that fire per statement, or per row. */
export const triggersOf = (table: string, per: 'statement' | 'row') => sql<{
  name: string;
  definition: string;
}>`
  select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
  where tgrelid = ${table}::regclass and not tgisinternal and (tgtype::int & 1 = 1) = ${per === 'row'}
  order by tgname`;

/** The same statement for another table. @throws when it does not name the first one, rather than run it on that */
export function onto(definition: string, from: string, to: string): string {
  const named = new RegExp(` ON (ONLY )?(\\S+\\.)?"?${from}"? `);
  if (!named.test(definition)) throw new Error(`Cannot read what is defined on ${from}`);
  return definition.replace(named, ` ON "${to}" `);
}

/** Partitions reach this far ahead: a keeper that is away may be mended for so long. */
export const MONTHS_AHEAD = 3;

/**
 * Makes the partitions that are missing from `since` (now when not given) until `MONTHS_AHEAD` from now. Rows that
 * had to go to the default partition meanwhile move into theirs.
 * @returns the names of those that were made
 */
export async function ensureSpans<DB>(db: Kysely<DB>, plan: Partitioned, since?: Date): Promise<string[]> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  const now = rows[0]?.now ?? new Date();
  const until = new Date(now);
  until.setUTCMonth(until.getUTCMonth() + MONTHS_AHEAD);
  const there = await partitionsOf(db, plan.table);
  const made: string[] = [];
  for (let span = spanOf(since ?? now, plan.months); span.from <= until; span = nextSpan(span, plan.months)) {
    if (there.some((partition) => covers(partition, span))) continue;
    const name = `${plan.table}_${span.name}`;
    await create(db, plan, { ...span, name });
    made.push(name);
  }
  return made;
}

const covers = ({ from, to }: Partition, span: Span): boolean =>
  (from === null || from <= span.from) && to >= span.to;

/**
 * A table of its own first, attached then: that lets readers and writers go on, where making it as a partition would
 * lock them out. Attached partitions get the parent's indexes, references and triggers per row by themselves.
 */
async function create<DB>(
  db: Kysely<DB>,
  { table, key }: Partitioned,
  { name, from, to }: Partition,
): Promise<void> {
  const end = idAt(to);
  const spill = defaultOf(table);
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(db);
  const inSpan =
    from === null
      ? sql`${sql.ref(key)} < ${end}`
      : sql`${sql.ref(key)} >= ${idAt(from)} and ${sql.ref(key)} < ${end}`;
  const { rows } = await sql`select 1 from ${sql.table(spill)} where ${inSpan} limit 1`.execute(db);
  if (rows.length > 0)
    await withoutTriggers(db, spill, async () => {
      await sql`
        with moved as (delete from ${sql.table(spill)} where ${inSpan} returning *)
        insert into ${sql.table(name)} select * from moved`.execute(db);
    });
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(name)}
    for values from (${from === null ? sql`minvalue` : sql.lit(idAt(from))}) to (${sql.lit(end)})`.execute(
    db,
  );
  for (const { definition } of await definitions(db, triggersOf(table, 'statement')))
    await sql.raw(onto(definition, table, name)).execute(db);
}

/** Runs the one thing that rules for users do not forbid the owner: moving rows to where they belong. */
export async function withoutTriggers<DB>(
  db: Kysely<DB>,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await work();
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
}
