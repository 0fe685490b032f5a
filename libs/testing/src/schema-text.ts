/** A database's schema as one text: what two databases must have in common to be the same. */
import { sql, type Kysely } from 'kysely';

/** Relations of our own: neither the migrations' books nor partitions, whose names follow the calendar. */
const OURS = sql`
  c.relnamespace = 'public'::regnamespace and not c.relispartition and c.relname not like 'kysely\\_%'
  and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')`;

/** Each answers lines; together they name everything that a migration of ours makes. */
const PARTS = [
  sql`select 'extension ' || extname from pg_extension order by 1`,
  sql`
    select 'table ' || c.relname || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '')
      || coalesce(' with ' || c.reloptions::text, '') || ' ' || c.relpersistence::text
    from pg_class c where c.relkind in ('r', 'p') and ${OURS} order by 1`,
  sql`
    select 'column ' || c.relname || ' ' || lpad(a.attnum::text, 3) || ' ' || a.attname || ' '
      || format_type(a.atttypid, a.atttypmod)
      || case when l.collname <> 'default' then ' collate ' || l.collname else '' end
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attgenerated <> '' then ' generated' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and ${OURS}
    order by c.relname, a.attnum`,
  sql`
    select 'constraint ' || c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_class c on c.oid = k.conrelid where ${OURS} order by 1`,
  sql`
    select 'index ' || pg_get_indexdef(c.oid) from pg_class c where c.relkind in ('i', 'I') and ${OURS} order by 1`,
  sql`
    select 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text from pg_trigger t
    join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${OURS} order by 1`,
  sql`
    select 'function ' || pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')
    order by 1`,
  sql`
    select 'sequence ' || c.relname || ' ' || format_type(s.seqtypid, null) || ' ' || s.seqstart || ' ' || s.seqincrement
      || coalesce(' owned by ' || d.refobjid::regclass || '.' || a.attname, '')
    from pg_sequence s join pg_class c on c.oid = s.seqrelid
    left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where ${OURS} order by 1`,
  // Partitions by number and rules instead of names: how many there are depends on the day.
  sql`
    select distinct 'partitions of ' || parent.relname || ': '
      || case when pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' then 'default' else 'by time' end
      || coalesce(' with ' || (
        select string_agg(tgname, ', ' order by tgname) from pg_trigger where tgrelid = c.oid and not tgisinternal), '')
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class parent on parent.oid = i.inhparent
    where c.relispartition and c.relkind = 'r' and parent.relnamespace = 'public'::regnamespace order by 1`,
];

/**
 * Tables, columns in their order, constraints, indexes, triggers, functions, sequences, extensions and how tables are
 * divided, as PostgreSQL itself words them. Neither rows nor owners, and nothing that depends on the day.
 */
export async function schemaText<DB>(db: Kysely<DB>): Promise<string> {
  const lines: string[] = [];
  for (const part of PARTS) {
    const { rows } = await part.execute(db);
    for (const row of rows) lines.push(String(Object.values(row as object)[0]).trimEnd());
  }
  return `${lines.join('\n')}\n`;
}
