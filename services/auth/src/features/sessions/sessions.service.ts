/**
 * Sessions. Postgres is the record; Redis holds a copy that every service reads, so that a logout is
 * effective everywhere within a second (design §3 Sessions).
 */
import { sessionKey } from '@karaar/platform/auth';
import { uuidv7 } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { findSession, insertSession, listRevoked, revokeSession } from './sessions.repository.ts';

const TWELVE_HOURS_MS = 12 * 3_600_000;

/** Opens a session of twelve hours and signs its token. */
export async function openSession(
  ctx: Context,
  subject: { id: string; audience: 'user' | 'admin'; charId?: string; role?: string },
): Promise<string> {
  const id = uuidv7();
  const expiresAt = new Date(Date.now() + TWELVE_HOURS_MS);
  await insertSession(ctx.db, {
    id,
    subject_id: subject.id,
    audience: subject.audience,
    expires_at: expiresAt,
  });
  await remember(ctx, id, 'active', expiresAt);
  return ctx.tokenKeys.sign({
    subject: subject.id,
    sessionId: id,
    audience: subject.audience,
    ...(subject.charId ? { charId: subject.charId } : {}),
    ...(subject.role ? { role: subject.role } : {}),
    expiresAt,
  });
}

/** Ends a session, in the record first: whoever asks the record from now on is told. */
export async function closeSession(ctx: Context, id: string): Promise<void> {
  await revokeSession(ctx.db, id);
  await remember(ctx, id, 'revoked', new Date(Date.now() + TWELVE_HOURS_MS));
}

/** The record's word on a session, for services that find nothing in Redis. */
export async function isSessionActive(ctx: Context, id: string): Promise<boolean> {
  const session = await findSession(ctx.db, id);
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
