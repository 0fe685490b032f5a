/**
 * Two functions with fixed limits let the service's own role create and drop partitions, which otherwise only
 * the owner may.
 */
import { sql, type Kysely } from 'kysely';

/**
 * Creates one partition of a partitioned table and moves its rows out of the default partition. The function
 * accepts only tables in `partitioned_tables`, and only names that begin with the table's name. It creates a plain
 * table and then attaches it, because creating it as a partition would lock out readers and writers. Attached
 * partitions get the parent's indexes, references and row triggers automatically.
 */
const MAKE = `
create or replace function make_partition(parent text, part text, lower_end text, upper_end text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  key text := (select key_column from public.partitioned_tables where name = parent);
  spill text := parent || '_default';
  in_span text;
  spilled boolean;
  rule record;
begin
  if key is null or left(part, length(parent) + 1) <> parent || '_' then
    raise exception '% is not a partition of a divided table', part using errcode = 'insufficient_privilege';
  end if;
  in_span := format('%I >= %L and %I < %L', key, lower_end, key, upper_end);
  execute format('create table public.%I (like public.%I including all)', part, parent);
  execute format('select exists (select from public.%I where %s)', spill, in_span) into spilled;
  if spilled then
    execute format('alter table public.%I disable trigger user', spill);
    execute format(
      'with moved as (delete from public.%I where %s returning *) insert into public.%I select * from moved',
      spill, in_span, part);
    execute format('alter table public.%I enable trigger user', spill);
  end if;
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    parent, part, lower_end, upper_end);
  for rule in
    select tgname, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = format('public.%I', parent)::regclass and not tgisinternal and (tgtype::int & 1) = 0
    order by tgname
  loop
    if strpos(rule.definition, format(' ON public.%I ', parent)) = 0 then
      raise exception 'Cannot read what % is defined on', rule.tgname;
    end if;
    execute replace(rule.definition, format(' ON public.%I ', parent), format(' ON public.%I ', part));
  end loop;
  if to_regrole(quote_ident(current_user || '_app')) is not null then
    execute format('grant select on public.%I to %I', part, current_user || '_app');
  end if;
end $$`;

/** Drops a partition, for a role that may also delete the table's rows. */
const DROP = `
create or replace function drop_partition(part text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  parent regclass := (
    select inhparent::regclass from pg_inherits
    join public.partitioned_tables on format('public.%I', name)::regclass = inhparent
    where inhrelid = format('public.%I', part)::regclass);
begin
  if parent is null or not has_table_privilege(session_user, parent, 'DELETE') then
    raise exception '% may not be dropped', part using errcode = 'insufficient_privilege';
  end if;
  execute format('drop table public.%I', part);
end $$`;

export const OWNERS_FUNCTIONS = ['make_partition(text, text, text, text)', 'drop_partition(text)'] as const;

/** Creates or replaces both functions. They run with the rights of the caller, who must be the owner. */
export async function offerUpkeep<DB>(db: Kysely<DB>): Promise<void> {
  for (const statement of [MAKE, DROP]) await sql.raw(statement).execute(db);
  for (const signature of OWNERS_FUNCTIONS)
    await sql.raw(`revoke execute on function ${signature} from public`).execute(db);
}
