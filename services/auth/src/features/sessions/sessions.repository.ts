import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, SessionsTable } from '../../db/schema.ts';

export type SessionRow = Selectable<SessionsTable>;

export async function insertSession(
  db: Db,
  session: Pick<SessionRow, 'id' | 'subject_id' | 'audience' | 'expires_at' | 'device' | 'network'>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Returns the devices of a user's or admin's recorded sessions, including ended ones. */
export async function devicesOf(db: Db, subjectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('device')
    .distinct()
    .where('subject_id', '=', subjectId)
    .execute();
  return rows.map(({ device }) => device);
}

export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the open sessions of a user or admin, newest first. */
export async function listOpenSessions(db: Db, subjectId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date())
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}

/** Returns all recorded sessions of a user, including ended ones, newest first. */
export async function listAllSessions(db: Db, subjectId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('id', 'desc')
    .execute();
}

/** Ends one session of a subject, all, or all but one. Returns the ids of those that were open. */
export async function revokeSessions(
  db: Db,
  subjectId: string,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  let query = db
    .updateTable('sessions')
    .set({ revoked_at: new Date() })
    .where('subject_id', '=', subjectId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date());
  if (which.only !== undefined) query = query.where('id', '=', which.only);
  if (which.except !== undefined) query = query.where('id', '<>', which.except);
  return (await query.returning('id').execute()).map((row) => row.id);
}

/** Returns sessions that were ended early; their tokens have not expired yet. */
export async function listRevoked(db: Db, since: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('revoked_at', '>=', since)
    .where('expires_at', '>', new Date())
    .execute();
}

/** Returns the ids of one subject's sessions that were ended early. */
export async function listRevokedOf(db: Db, subjectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('subject_id', '=', subjectId)
    .where('revoked_at', 'is not', null)
    .where('expires_at', '>', new Date())
    .execute();
  return rows.map((row) => row.id);
}

/** Lets a session perform one act until a moment; this replaces an earlier act. */
export async function confirmSession(
  db: Db,
  id: string,
  { act, until }: { act: string; until: Date },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmed_act: act, confirmed_until: until })
    .where('id', '=', id)
    .execute();
}

/** Returns true if the session is open and may perform the act now. */
export async function isConfirmed(db: Db, id: string, act: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('confirmed_act', '=', act)
    .where('confirmed_until', '>', sql<Date>`now()`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return session !== undefined;
}

/** Uses the confirmation up. Returns false where {@link isConfirmed} is false. */
export async function spendConfirmation(tx: Tx<Database>, id: string, act: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ confirmed_act: null, confirmed_until: null })
    .where('id', '=', id)
    .where('confirmed_act', '=', act)
    .where('confirmed_until', '>', sql<Date>`now()`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function pruneSessions(db: Db): Promise<void> {
  await sql`DELETE FROM sessions WHERE expires_at < now() - interval '30 days'`.execute(db);
}

/** Deletes everything except the end of the sessions, which is needed until their tokens expire. */
export async function anonymizeSessions(tx: Tx<Database>, subjectId: string): Promise<void> {
  await sql`UPDATE sessions SET device = '', network = '', confirmed_act = NULL WHERE subject_id = ${subjectId}`.execute(
    tx,
  );
}
