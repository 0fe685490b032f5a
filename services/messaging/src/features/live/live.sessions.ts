/** Closes the sockets of ended sessions, within a second of a logout or a deactivation. */
import { sessionKey } from '@karaar/http/auth';
import type { Foundation } from '@karaar/service';
import type { LiveServer, LiveSocket } from './live.server.ts';

/** Milliseconds between two checks of all sessions that are connected here. */
const LOOK_MS = 400;
/** Milliseconds that Redis may take, so that a check ends before the next one. */
const PATIENCE_MS = 300;

type Parts = Pick<Foundation<unknown>, 'verifier' | 'redis' | 'logger'>;

/**
 * Checks the sessions of all sockets of this process periodically, with one request to Redis for all. A
 * session that Redis does not know is verified as in the handshake. A socket whose session cannot be
 * confirmed is closed; its page then polls the API, which refuses it.
 * @returns a function that stops the checks
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
  // There are thousands, and nearly all are active: only the others are awaited.
  const doubtful: Promise<void>[] = [];
  for (const [index, id] of ids.entries()) {
    const state = states[index];
    // Saves the API requests of connected users a request to Redis.
    if (state === 'active') parts.verifier.noteActive?.(id, askedAt);
    else doubtful.push(endUnlessVouchedFor(parts, state === 'revoked', bySession.get(id) ?? []));
  }
  await Promise.all(doubtful);
}

/** Closes the sockets of a session that has ended or cannot be confirmed. */
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
    setTimeout(() => reject(new Error('Redis did not answer in time')), PATIENCE_MS).unref();
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
  // A session that cannot be checked counts as ended.
  return verifier.verify(socket.data.token).then(
    () => true,
    () => false,
  );
}
