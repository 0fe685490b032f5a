import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Returns the address of a service's database, for the cluster's administrator. */
export function databaseUrl(postgresUrl: string, service: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/karaar_${service}`;
  return url.href;
}

export async function withClient<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

export const inDatabase = <Row extends pg.QueryResultRow>(
  postgresUrl: string,
  service: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  withClient(
    databaseUrl(postgresUrl, service),
    async (db) => (await db.query<Row>(statement, [...values])).rows,
  );

/** The password of the development admin and of the admins of {@link makeAdmin}. */
export const ADMIN_PASSWORD = 'karaar-admin';

/** Creates an admin with a role. @returns the user name */
export async function makeAdmin(postgresUrl: string, role: string): Promise<string> {
  const username = `${role}-${randomUUID().slice(0, 8)}`;
  await inDatabase(
    postgresUrl,
    'auth',
    `INSERT INTO admins (id, username, password_hash, role)
     SELECT gen_random_uuid(), $1, password_hash, $2 FROM admins WHERE username = 'admin'`,
    [username, role],
  );
  return username;
}
