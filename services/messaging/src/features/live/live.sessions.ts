/** Ends the sockets of sessions that are over, within a second of a logout or a deactivation. */
import { sessionKey } from '@karaar/platform/auth';
import type { Foundation } from '@karaar/platform/service';
import type { LiveServer, LiveSocket } from './live.server.ts';

/** Milliseconds between two looks at all sessions that are connected here. */
const LOOK_MS = 400;
/** Milliseconds that Redis may take, so that a look is over before the next one. */
const PATIENCE_MS = 300;

type Parts = Pick<Foundation<unknown>, 'verifier' | 'redis' | 'logger'>;

/**
 * Looks at the sessions of all sockets of this process again and again: one question to Redis for all of them. A session
 * that Redis does not know is asked about as at the handshake, and a socket whose session nobody can vouch for is closed:
 * its page falls back to asking, and is told there.
 *
 * @returns how to stop it
 */
export function watchSessions(io: LiveServer, parts: Parts): () => void {
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look(io, parts)
      .catch((err: unknown) => parts.logger.error({ err }, 'sessions of sockets could not be looked at'))
      .finally(() => (looking = false));
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function look(io: LiveServer, parts: Parts): Promise<void> {
  const bySession = new Map<string, LiveSocket[]>();
  for (const socket of io.of('/').sockets.values()) {
    const { sessionId } = socket.data.principal;
    const others = bySession.get(sessionId);
    if (others) others.push(socket);
    else bySession.set(sessionId, [socket]);
  }
  if (bySession.size === 0) return;
  const ids = [...bySession.keys()];
  const askedAt = performance.now();
  const states = await statesOf(parts, ids);
  // There are thousands, and nearly all of them live: only the others are waited for.
  const doubtful: Promise<void>[] = [];
  for (const [index, id] of ids.entries()) {
    const state = states[index];
    // Who is connected here also calls here: Redis need not be asked for each of these calls.
    if (state === 'active') parts.verifier.noteActive?.(id, askedAt);
    else doubtful.push(endUnlessVouchedFor(parts, state === 'revoked', bySession.get(id) ?? []));
  }
  await Promise.all(doubtful);
}

/** Closes the sockets of a session that is over, or that nobody can vouch for. */
async function endUnlessVouchedFor(
  parts: Parts,
  isOver: boolean,
  sockets: readonly LiveSocket[],
): Promise<void> {
  if (isOver || !(await isVouchedFor(parts, sockets[0])))
    for (const socket of sockets) socket.disconnect(true);
}

async function statesOf({ redis, logger }: Parts, ids: string[]): Promise<(string | null)[]> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('Redis is late')), PATIENCE_MS).unref();
  });
  try {
    return await Promise.race([redis.mget(ids.map(sessionKey)), late]);
  } catch (err) {
    logger.debug({ err }, 'session states not read from Redis');
    return ids.map(() => null);
  }
}

async function isVouchedFor({ verifier }: Parts, socket: LiveSocket | undefined): Promise<boolean> {
  if (!socket) return false;
  // Both a session that is over and one that cannot be checked end the socket.
  return verifier.verify(socket.data.token).then(
    () => true,
    () => false,
  );
}
