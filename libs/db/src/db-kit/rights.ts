import { sql, type Kysely } from 'kysely';
import { OWNERS_FUNCTIONS } from './partition-functions.ts';

/**
 * Append-only tables by name. The service's role may read them and insert rows; it may update the columns
 * named here, or delete rows, only if the entry allows it. Every other table is an ordinary one.
 */
export type AppendOnlyTables = Readonly<Record<string, { update?: readonly string[]; delete?: true }>>;

/** Tables of the migration library, which the service may only read. */
const READ_ONLY = ['kysely_migration', 'kysely_migration_lock', 'partitioned_tables'];

/** Returns the name of the role that a service runs as, from the role that owns its database. */
export const runtimeRoleOf = (owner: string): string => `${owner}_app`;

async function rolesOf<DB>(db: Kysely<DB>): Promise<{ role: string; exists: boolean; database: string }> {
  const { rows } = await sql<{ owner: string; database: string }>`
    select current_user as owner, current_database() as database`.execute(db);
  const { owner = '', database = '' } = rows[0] ?? {};
  const role = runtimeRoleOf(owner);
  const { rows: found } = await sql`select 1 from pg_roles where rolname = ${role}`.execute(db);
  return { role, exists: found.length > 0, database };
}

/**
 * Grants the service's role its rights to all existing tables and revokes all others. Must run as the owner,
 * after migrations; idempotent.
 * @throws Error if the role does not exist
 */
export async function grantRuntimeRole<DB>(db: Kysely<DB>, kept: AppendOnlyTables): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { role, exists, database } = await rolesOf(tx);
    if (!exists)
      throw new Error(
        `The role ${role} does not exist, as which the service is to work. Make it as an administrator: CREATE ROLE ${role} LOGIN PASSWORD '…'`,
      );
    const to = sql.ref(role);
    await sql`revoke all on database ${sql.ref(database)} from public`.execute(tx);
    await sql`revoke create on schema public from public`.execute(tx);
    await sql`grant connect on database ${sql.ref(database)} to ${to}`.execute(tx);
    await sql`revoke all on all tables in schema public from ${to}`.execute(tx);
    await sql`grant usage on all sequences in schema public to ${to}`.execute(tx);
    for (const { name, root } of await tablesOf(tx)) await grantTable(tx, { name, root, role, kept });
    for (const signature of OWNERS_FUNCTIONS)
      await sql`grant execute on function ${sql.raw(signature)} to ${to}`.execute(tx);
  });
}

async function tablesOf<DB>(db: Kysely<DB>): Promise<{ name: string; root: string }[]> {
  const { rows } = await sql<{ name: string; root: string }>`
    select relname as name,
      case when relispartition then (select relname from pg_class where oid = pg_partition_root(c.oid)) else relname end as root
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
    order by 1`.execute(db);
  return rows;
}

async function grantTable<DB>(
  db: Kysely<DB>,
  { name, root, role, kept }: { name: string; root: string; role: string; kept: AppendOnlyTables },
): Promise<void> {
  const grant = (privileges: ReturnType<typeof sql>) =>
    sql`grant ${privileges} on ${sql.table(name)} to ${sql.ref(role)}`.execute(db);
  await grant(sql`select`);
  if (READ_ONLY.includes(root)) return;
  const rule = kept[root];
  // Partitions are written through the root table; only old rows are deleted from the default partition
  // directly.
  if (name !== root) return rule ? undefined : void (await grant(sql`delete`));
  if (rule === undefined) return void (await grant(sql`insert, update, delete`));
  await grant(sql`insert`);
  if (rule.delete) await grant(sql`delete`);
  if (rule.update) await grant(sql`update (${sql.join(rule.update.map((column) => sql.ref(column)))})`);
}

/**
 * Revokes access to the list of migrations, so that a waiting process keeps waiting until it has its rights.
 */
export async function holdRuntimeRole<DB>(db: Kysely<DB>): Promise<void> {
  const { role, exists } = await rolesOf(db);
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (exists && rows[0]?.there) await sql`revoke all on kysely_migration from ${sql.ref(role)}`.execute(db);
}

/** Grants access to the list only, if another release has set the other rights. */
export async function releaseRuntimeRole<DB>(db: Kysely<DB>): Promise<void> {
  const { role, exists } = await rolesOf(db);
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (exists && rows[0]?.there) await sql`grant select on kysely_migration to ${sql.ref(role)}`.execute(db);
}
