import type { Tx } from '@karaar/platform/db-kit';
import type { Kysely, Selectable } from 'kysely';
import type { Database, SessionsTable } from '../../db/schema.ts';

export type SessionRow = Selectable<SessionsTable>;
type Db = Kysely<Database> | Tx<Database>;

export async function insertSession(
  db: Db,
  session: Pick<SessionRow, 'id' | 'subject_id' | 'audience' | 'expires_at'>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function revokeSession(db: Db, id: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Sessions that were ended before their time: their tokens would still be taken without the record. */
export async function listRevoked(db: Db): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('revoked_at', 'is not', null)
    .where('expires_at', '>', new Date())
    .execute();
}
