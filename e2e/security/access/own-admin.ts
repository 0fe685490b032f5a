/** An admin for a check of its own, so that none of the others is kept out. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The development admin's, whom a new one shares. */
export const PASSWORD = 'karaar-admin';

/** @param postgresUrl of a role that may change the table of admins. @returns the name */
export async function makeAdmin(postgresUrl: string): Promise<string> {
  const username = `door-${randomUUID().slice(0, 8)}`;
  const url = new URL(postgresUrl);
  url.pathname = '/karaar_auth';
  const db = new pg.Client({ connectionString: url.toString() });
  await db.connect();
  try {
    await db.query(
      `INSERT INTO admins (id, username, password_hash, role)
       SELECT gen_random_uuid(), $1, password_hash, 'support' FROM admins WHERE username = 'admin'`,
      [username],
    );
  } finally {
    await db.end();
  }
  return username;
}
