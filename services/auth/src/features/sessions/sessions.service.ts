/**
 * Sessions. Postgres is the record; Redis holds a copy that every service reads, so that a logout is
 * effective everywhere within a second (design §3 Sessions).
 */
import { sessionKey } from '@karaar/platform/auth';
import { inTransaction, uuidv7, type Tx } from '@karaar/platform/db-kit';
import { notFound } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';
import {
  findSession,
  insertSession,
  listOpenSessions,
  listRevoked,
  revokeSessions,
  type SessionRow,
} from './sessions.repository.ts';
import { SESSION_MS } from './session-times.ts';

export type Subject = { id: string; audience: 'user' | 'admin'; charId?: string; role?: string };
/** Where a sign-in comes from, as it is kept. */
export type Origin = { device: string; network: string };

/**
 * Opens a session of twelve hours and signs its token.
 * @param whoMay decides in the session's own transaction who gets it, holding the subject's row: a deactivation
 *   at the same moment comes either before (it throws) or after (it ends this session too)
 */
export async function openSession<S extends Subject>(
  ctx: Context,
  origin: Origin,
  whoMay: (tx: Tx<Database>) => Promise<S>,
): Promise<{ token: string; subject: S }> {
  const id = uuidv7();
  // One moment for session and token: a token lives exactly as long as its session, whatever took time in between.
  const issuedAt = new Date();
  const expiresAt = new Date(issuedAt.getTime() + SESSION_MS);
  const subject = await inTransaction(ctx.db, async (tx) => {
    const who = await whoMay(tx);
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

export const listSessions = (ctx: Context, subjectId: string): Promise<SessionRow[]> =>
  listOpenSessions(ctx.db, subjectId);

/** Ends a session of one's own. Throws 404 for anything else: whose another one is, is nobody's business. */
export async function closeSession(ctx: Context, subjectId: string, id: string): Promise<void> {
  const ended = isUuid(id) ? await revokeSessions(ctx.db, subjectId, { only: id }) : [];
  if (ended.length === 0) throw notFound('session_not_found', 'This session has ended already.');
  await announceEnd(ctx, ended);
}

/** Ends the caller's session; one that is over already is no error. */
export async function closeOwnSession(ctx: Context, subjectId: string, id: string): Promise<void> {
  await revokeSessions(ctx.db, subjectId, { only: id });
  await announceEnd(ctx, [id]);
}

/** Ends all sessions of one's own, or all but the current one. Answers how many. */
export async function closeAllSessions(ctx: Context, subjectId: string, except?: string): Promise<number> {
  const ended = await revokeSessions(ctx.db, subjectId, except === undefined ? {} : { except });
  await announceEnd(ctx, ended);
  return ended.length;
}

/** Tells Redis, and so every service, that sessions are over. The record must say so already. */
export async function announceEnd(ctx: Context, ids: readonly string[]): Promise<void> {
  const until = new Date(Date.now() + SESSION_MS);
  await Promise.all(ids.map((id) => remember(ctx, id, 'revoked', until)));
}

/** The record's word on a session, for services that find nothing in Redis. */
export async function isSessionActive(ctx: Context, id: string): Promise<boolean> {
  const session = isUuid(id) ? await findSession(ctx.db, id) : undefined;
  const active = session !== undefined && session.revoked_at === null && session.expires_at > new Date();
  if (session && active) await remember(ctx, id, 'active', session.expires_at);
  return active;
}

/**
 * Says again which sessions are over. A Redis that was away may come back with copies from before a
 * logout; called whenever it comes back, so that losing it grants nothing (design §2.7).
 */
export async function repeatRevocations(ctx: Context): Promise<void> {
  for (const session of await listRevoked(ctx.db)) {
    await remember(ctx, session.id, 'revoked', session.expires_at);
  }
}

/** A failure to write the copy is no failure of the session: readers then ask the record. */
async function remember(ctx: Context, id: string, state: 'active' | 'revoked', until: Date): Promise<void> {
  const ms = until.getTime() - Date.now();
  if (ms <= 0) return;
  const write =
    state === 'active'
      ? // Never over a revocation that came in between.
        ctx.redis.set(sessionKey(id), state, 'PX', ms, 'NX')
      : ctx.redis.set(sessionKey(id), state, 'PX', ms);
  await write.catch((error: unknown) => {
    ctx.logger.warn({ err: error }, 'session state not copied to Redis');
    if (state === 'revoked') throw error;
  });
}
