import pg from 'pg';

/** One database to have, with the role that owns it. */
export interface WantedDatabase {
  /** Name of both the database and the role. */
  name: string;
  password: string;
}

/**
 * Makes databases and their roles where they are missing, and sets the roles' passwords. Nobody but
 * the owner may connect to a database.
 *
 * @param adminUrl a role that may create databases and roles
 * @returns the URL of each database, by its name
 */
export async function ensureDatabases(
  adminUrl: string,
  wanted: readonly WantedDatabase[],
): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const roles = await names(client, 'select rolname as name from pg_roles');
    const databases = await names(client, 'select datname as name from pg_database');
    for (const { name, password } of wanted) {
      const quoted = client.escapeIdentifier(name);
      const verb = roles.has(name) ? 'alter' : 'create';
      await client.query(`${verb} role ${quoted} login password ${client.escapeLiteral(password)}`);
      if (databases.has(name)) continue;
      await client.query(`create database ${quoted} owner ${quoted}`);
      await client.query(`revoke connect on database ${quoted} from public`);
    }
  } finally {
    await client.end();
  }
  return Object.fromEntries(wanted.map((database) => [database.name, databaseUrl(adminUrl, database)]));
}

async function names(client: pg.Client, query: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(query);
  return new Set(rows.map(({ name }) => name));
}

function databaseUrl(adminUrl: string, { name, password }: WantedDatabase): string {
  const url = new URL(adminUrl);
  [url.username, url.password, url.pathname] = [name, password, `/${name}`];
  return url.toString();
}
