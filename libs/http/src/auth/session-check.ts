import { unavailable } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';

/** The call to the auth service (`rpc.auth.session-status.v1`); throws when the service does not answer. */
export type SessionStatus = (request: { session_id: string }) => Promise<{ active: boolean }>;
export type SessionCheck = {
  /** Returns true if the session is open. */
  (sessionId: string): Promise<boolean>;
  /** Returns true if the last positive check is recent enough to be used without another one. */
  isKnown(sessionId: string): boolean;
  /** Records that Redis showed the session as open at `askedAt` (`performance.now()`). */
  note(sessionId: string, askedAt: number): void;
};

export type SessionStore = { get(key: string): Promise<string | null> };

/** Redis key of a session: `active` (with a TTL) or `revoked`, written by the auth service only. */
export const sessionKey = (sessionId: string): string => `session:${sessionId}`;

const CACHE_MS = 800;
const CACHE_ENTRIES = 50_000;
const REDIS_DEADLINE_MS = 300;

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Checks that a session is open. If Redis does not know it or does not answer, the auth service is asked; if
 * that fails too, the check throws 503, so that losing Redis never grants access. A positive answer is cached
 * for 800 ms from the request, so that a logout takes effect everywhere within a second. A negative answer is
 * not cached.
 */
export function createSessionCheck(options: {
  redis: SessionStore;
  sessionStatus: SessionStatus;
  logger?: Logger;
  now?: () => number;
}): SessionCheck {
  const { redis, sessionStatus, logger, now = () => performance.now() } = options;
  const activeUntil = new Map<string, number>();
  const asking = new Map<string, Promise<boolean>>();

  const fromRedis = async (sessionId: string): Promise<string | null> => {
    try {
      return await within(redis.get(sessionKey(sessionId)), REDIS_DEADLINE_MS);
    } catch (err) {
      logger?.debug({ err }, 'Session state not read from Redis; asking the auth service');
      return null;
    }
  };

  const ask = async (sessionId: string): Promise<boolean> => {
    const state = await fromRedis(sessionId);
    if (state === 'active') return true;
    if (state === 'revoked') return false;
    try {
      return (await sessionStatus({ session_id: sessionId })).active === true;
    } catch (err) {
      throw unavailable(
        'auth_unavailable',
        'Your session cannot be checked right now. Please try again in a moment.',
        err,
      );
    }
  };

  const remember = (sessionId: string, until: number) => {
    activeUntil.delete(sessionId);
    activeUntil.set(sessionId, until);
    if (activeUntil.size <= CACHE_ENTRIES) return;
    const oldest = activeUntil.keys().next().value;
    if (oldest !== undefined) activeUntil.delete(oldest);
  };

  const isKnown = (sessionId: string): boolean => {
    const until = activeUntil.get(sessionId);
    return until !== undefined && now() < until;
  };

  const note = (sessionId: string, askedAt: number) => {
    const until = askedAt + CACHE_MS;
    if (until > (activeUntil.get(sessionId) ?? 0)) remember(sessionId, until);
  };

  const check = async (sessionId: string): Promise<boolean> => {
    if (isKnown(sessionId)) return true;
    const running = asking.get(sessionId);
    if (running) return running;
    const askedAt = now();
    const answer = ask(sessionId).finally(() => asking.delete(sessionId));
    asking.set(sessionId, answer);
    const active = await answer;
    if (active) remember(sessionId, askedAt + CACHE_MS);
    else activeUntil.delete(sessionId);
    return active;
  };
  return Object.assign(check, { isKnown, note });
}
