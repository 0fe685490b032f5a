/**
 * Sessions. Postgres is the source of truth. Redis holds a copy that every service reads, so that a logout
 * takes effect everywhere within a second (design §3 Sessions).
 */
import { authEvents } from '@karaar/contracts/auth/events';
import { sessionKey } from '@karaar/http/auth';
import { inTransaction, isUuid, type Tx, uuidv7 } from '@karaar/db';
import { notFound } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import type { Origin } from './device.ts';
import type { Database } from '../../db/schema.ts';
import { forgetBrowsers } from '../otp/known-browsers.repository.ts';
import {
  devicesOf,
  findSession,
  insertSession,
  listOpenSessions,
  listRevoked,
  revokeSessions,
  type SessionRow,
} from './sessions.repository.ts';
import { SESSION_MS } from './session-times.ts';

export type Subject = { id: string; audience: 'user' | 'admin'; charId?: string; role?: string };

/**
 * Opens a session of twelve hours and signs its token.
 * @param whoMay returns the subject, in the session's transaction and with the subject's row locked: a
 * simultaneous deactivation comes either before (then it throws) or after (then it ends this session too)
 */
export async function openSession<S extends Subject>(
  ctx: Context,
  origin: Origin,
  whoMay: (tx: Tx<Database>) => Promise<S>,
): Promise<{ token: string; subject: S }> {
  const id = uuidv7();
  // Session and token use the same moment, so that they expire together.
  const issuedAt = new Date();
  const expiresAt = new Date(issuedAt.getTime() + SESSION_MS);
  const subject = await inTransaction(ctx.db, async (tx) => {
    const who = await whoMay(tx);
    if (who.audience === 'user')
      await publishNewDevice(ctx, tx, { userId: who.id, sessionId: id }, origin.device);
    await insertSession(tx, {
      id,
      subject_id: who.id,
      audience: who.audience,
      expires_at: expiresAt,
      ...origin,
    });
    return who;
  });
  await remember(ctx, id, 'active', expiresAt);
  const token = await ctx.tokenKeys.sign({
    subject: subject.id,
    sessionId: id,
    audience: subject.audience,
    ...(subject.charId ? { charId: subject.charId } : {}),
    ...(subject.role ? { role: subject.role } : {}),
    issuedAt,
    expiresAt,
  });
  return { token, subject };
}

/**
 * Publishes an event for a sign-in on a device that none of the user's recorded sessions used, except for the
 * account's first sign-in.
 */
async function publishNewDevice(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  { userId, sessionId }: { userId: string; sessionId: string },
  device: string,
): Promise<void> {
  const devices = await devicesOf(tx, userId);
  if (devices.length === 0 || devices.includes(device)) return;
  await ctx.outbox.add(tx, authEvents.sessionOpened, {
    aggregateId: sessionId,
    aggregateVersion: 1,
    data: { user_id: userId, session_id: sessionId },
  });
}

export const listSessions = (ctx: Context, subjectId: string): Promise<SessionRow[]> =>
  listOpenSessions(ctx.db, subjectId);

/**
 * Ends one of the caller's sessions.
 * @throws 404 for any other id, so that the caller does not learn whether that session exists
 */
export async function closeSession(ctx: Context, subjectId: string, id: string): Promise<void> {
  const ended = isUuid(id) ? await revokeSessions(ctx.db, subjectId, { only: id }) : [];
  if (ended.length === 0) throw notFound('session_not_found', 'This session has already ended.');
  await announceEnd(ctx, ended);
}

/** Ends the caller's session; an already ended session is not an error. */
export async function closeOwnSession(ctx: Context, subjectId: string, id: string): Promise<void> {
  await revokeSessions(ctx.db, subjectId, { only: id });
  await announceEnd(ctx, [id]);
}

/** Ends all of the caller's sessions, or all but the current one. Returns their number. */
export async function closeAllSessions(ctx: Context, subjectId: string, except?: string): Promise<number> {
  const ended = await revokeSessions(ctx.db, subjectId, except === undefined ? {} : { except });
  await forgetBrowsers(ctx.db, subjectId);
  await announceEnd(ctx, ended);
  return ended.length;
}

/** Writes the end of sessions to Redis, where every service reads it. The database must have it already. */
export async function announceEnd(
  ctx: Pick<Context, 'redis' | 'logger'>,
  ids: readonly string[],
): Promise<void> {
  const until = new Date(Date.now() + SESSION_MS);
  await Promise.all(ids.map((id) => remember(ctx, id, 'revoked', until)));
}

/** Returns the state of a session in the database, for services that do not find it in Redis. */
export async function isSessionActive(ctx: Context, id: string): Promise<boolean> {
  const session = isUuid(id) ? await findSession(ctx.db, id) : undefined;
  const active = session !== undefined && session.revoked_at === null && session.expires_at > new Date();
  if (session && active) await remember(ctx, id, 'active', session.expires_at);
  return active;
}

/**
 * Writes all ended sessions to Redis again. After an outage Redis may hold copies from before a logout, so
 * this runs whenever Redis comes back (design §2.7).
 */
export async function repeatRevocations(ctx: Context, since = new Date(0)): Promise<void> {
  for (const session of await listRevoked(ctx.db, since)) {
    await remember(ctx, session.id, 'revoked', session.expires_at);
  }
}

/** Copies the state to Redis. If an active state cannot be written, readers ask the database. */
async function remember(
  ctx: Pick<Context, 'redis' | 'logger'>,
  id: string,
  state: 'active' | 'revoked',
  until: Date,
): Promise<void> {
  const ms = until.getTime() - Date.now();
  if (ms <= 0) return;
  const write =
    state === 'active'
      ? // NX, so that a revocation written meanwhile stays.
        ctx.redis.set(sessionKey(id), state, 'PX', ms, 'NX')
      : ctx.redis.set(sessionKey(id), state, 'PX', ms);
  await write.catch((error: unknown) => {
    ctx.logger.warn({ err: error }, 'session state not copied to Redis');
    if (state === 'revoked') throw error;
  });
}
