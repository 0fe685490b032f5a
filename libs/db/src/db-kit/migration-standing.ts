import { sql, type Kysely } from 'kysely';

export type Standing = {
  pending: string[];
  /** Applied migrations of a later release; empty while others are pending. */
  later: string[];
};

/**
 * Returns true for a name that sorts before the first released migrations, `20261127T2000Z-init-<service>`.
 */
const isOfDevelopment = (name: string): boolean =>
  /^\d{8}T\d{4}Z-/.test(name) && name < '20261127T2000Z-init-';

/**
 * Compares the names only, which sort by time.
 * @throws Error for an applied unknown migration, unless it is a later release's: then its name sorts after
 * all known ones, and all known ones are applied
 */
export async function standingOf<DB>(
  db: Kysely<DB>,
  migrations: Readonly<Record<string, unknown>>,
): Promise<Standing> {
  const known = Object.keys(migrations).sort();
  const applied = await appliedIn(db);
  if (applied === undefined) return { pending: known, later: [] };
  const pending = known.filter((name) => !applied.has(name));
  const unknown = [...applied].filter((name) => !(name in migrations)).sort();
  const [first] = unknown;
  const last = known.at(-1);
  if (first !== undefined && isOfDevelopment(first))
    throw new Error(
      'This database was made by a development state from before the first release. Remove its data (in development the folder .karaar, or that of KARAAR_STATE) and start again.',
    );
  if (first !== undefined && (pending.length > 0 || (last !== undefined && first < last)))
    throw new Error(
      `The database is of another line of releases: it has ${unknown.join(', ')}, which this release does not know${
        pending.length > 0 ? `, and has not ${pending.join(', ')}` : ', before migrations of this release'
      }`,
    );
  return { pending, later: unknown };
}

/** Undefined before the first migration, and while the service's role may not read the list. */
async function appliedIn<DB>(db: Kysely<DB>): Promise<Set<string> | undefined> {
  const { rows: tables } = await sql<{ mine: boolean | null }>`
    select has_table_privilege(to_regclass('kysely_migration'), 'select') as mine`.execute(db);
  if (tables[0]?.mine !== true) return undefined;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
