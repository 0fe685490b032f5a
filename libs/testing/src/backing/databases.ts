import pg from 'pg';

/** A required database, with the role that owns it and the role that its service uses (`runtimeRole`). */
export interface WantedDatabase {
  /** Name of both the database and the role that owns it. */
  name: string;
  password: string;
  runtimePassword: string;
}

/** URLs of a database, one per role. */
export interface DatabaseUrls {
  owner: string;
  runtime: string;
}

/**
 * Returns the role that a service uses for its database: it owns nothing, and migrations grant its rights.
 */
const runtimeRole = (name: string): string => `${name}_app`;

/**
 * Creates missing databases and their roles, and sets the roles' passwords. Only its two roles may connect to
 * a database.
 *
 * @param adminUrl a role that may create databases and roles
 * @returns the URLs of each database, by its name
 */
export async function ensureDatabases(
  adminUrl: string,
  wanted: readonly WantedDatabase[],
): Promise<Record<string, DatabaseUrls>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const roles = await names(client, 'select rolname as name from pg_roles');
    const databases = await names(client, 'select datname as name from pg_database');
    for (const { name, password, runtimePassword } of wanted) {
      const [owner, runtime] = [name, runtimeRole(name)].map((role) => client.escapeIdentifier(role));
      for (const [role, secret] of [
        [name, password],
        [runtimeRole(name), runtimePassword],
      ] as const) {
        const verb = roles.has(role) ? 'alter' : 'create';
        await client.query(
          `${verb} role ${client.escapeIdentifier(role)} login password ${client.escapeLiteral(secret)}`,
        );
      }
      if (!databases.has(name)) await client.query(`create database ${owner} owner ${owner}`);
      await client.query(`revoke all on database ${owner} from public`);
      await client.query(`grant connect on database ${owner} to ${runtime}`);
    }
  } finally {
    await client.end();
  }
  return Object.fromEntries(
    wanted.map(({ name, password, runtimePassword }) => [
      name,
      {
        owner: databaseUrl(adminUrl, name, { role: name, password }),
        runtime: databaseUrl(adminUrl, name, { role: runtimeRole(name), password: runtimePassword }),
      },
    ]),
  );
}

async function names(client: pg.Client, query: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(query);
  return new Set(rows.map(({ name }) => name));
}

function databaseUrl(
  adminUrl: string,
  name: string,
  { role, password }: { role: string; password: string },
): string {
  const url = new URL(adminUrl);
  [url.username, url.password, url.pathname] = [role, password, `/${name}`];
  return url.toString();
}
