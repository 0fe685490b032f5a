/** The socket server: who is let in, which rooms a socket is in, and how it ends. */
import type { LiveCommands, LiveAnswer, LiveEvents, LiveRefusal } from '@karaar/contracts/messaging/live';
import { LIVE_PATH } from '@karaar/contracts/messaging/live';
import type { Principal } from '@karaar/platform/auth';
import { forbidden, toWire, tooManyRequests, unauthorized } from '@karaar/platform/errors';
import type { HttpApp } from '@karaar/platform/http-kit';
import type { Foundation } from '@karaar/platform/service';
import { encode } from '@msgpack/msgpack';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { openRedis, type Redis } from '@karaar/platform/redis';
import { Server, type Socket } from 'socket.io';
import {
  BURST,
  createBucket,
  HANDSHAKE_MS,
  MAX_MESSAGE_BYTES,
  MAX_SOCKETS_PER_USER,
  PER_SECOND,
  tokenEnd,
  userRoom,
} from './live.ts';

type ServerToClient = { [E in keyof LiveEvents]: (data: LiveEvents[E]) => void };
type ClientToServer = {
  [C in keyof LiveCommands]: (data: LiveCommands[C], answer?: (answer: LiveAnswer) => void) => void;
};
/** What the server keeps of a socket. The token is asked about again as long as the socket lives. */
export type SocketData = { principal: Principal; token: string };
export type LiveServer = Server<ClientToServer, ServerToClient, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

type Parts = Pick<Foundation<unknown>, 'verifier' | 'redis' | 'logger'>;

/** Where processes tell each other. */
const CHANNEL = 'karaar-live';

/**
 * Opens the socket server on the service's port. A socket says in its handshake who it is, by the user's access token;
 * before that it is in no room and after {@link HANDSHAKE_MS} it is closed. Several processes share rooms through Redis.
 */
export function openSockets(
  app: HttpApp,
  redisUrl: string,
  parts: Parts,
): { io: LiveServer; close: () => Promise<void> } {
  const shared = sharedRedis(redisUrl, parts.logger);
  const io: LiveServer = new Server(app.server, {
    path: LIVE_PATH,
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: HANDSHAKE_MS,
    pingInterval: 20_000,
    pingTimeout: 10_000,
    // Short messages: packing costs more than it saves, and memory for every socket.
    perMessageDeflate: false,
    adapter: createAdapter(shared, {
      streamName: CHANNEL,
      channelPrefix: CHANNEL,
      // How long a read waits for news, and so at most how long closing takes.
      blockTimeInMs: 400,
    }),
  });
  storeNothing(io, shared);

  io.use((socket, next) => {
    admit(parts, io, socket).then(
      () => next(),
      (error: unknown) => {
        const { status, body } = toWire(error);
        if (status >= 500) parts.logger.warn({ err: error }, 'a socket could not be admitted');
        const data: LiveRefusal = { status, code: body.code, detail: String(body.detail) };
        next(Object.assign(new Error(body.code), { data }));
      },
    );
  });
  io.on('connection', (socket) => {
    void socket.join(userRoom(socket.data.principal.userId));
    limitTalk(socket);
    const left = tokenEnd(socket.data.token) * 1_000 - Date.now();
    const expiry = setTimeout(() => socket.disconnect(true), Math.max(0, left));
    socket.once('disconnect', () => clearTimeout(expiry));
  });
  return { io, close: () => closeSockets(io, shared) };
}

/**
 * Everything between processes goes by publication, as the adapter itself sends what nobody is to read later. In its
 * stream, and so in Redis' file, the texts of people would stay beyond their deletion; what a process misses meanwhile
 * its pages ask for.
 */
function storeNothing(io: LiveServer, shared: Redis): void {
  const doPublish = async (message: unknown) => {
    await shared.publish(`${CHANNEL}#/#`, Buffer.from(encode(message)));
    return '';
  };
  Object.assign(io.of('/').adapter, { doPublish });
}

/**
 * The connection between processes. Unlike the service's own its commands wait while Redis is away: the adapter asks
 * again at once when a read fails, and would do nothing else.
 */
function sharedRedis(url: string, logger: Parts['logger']): Redis {
  const redis = openRedis(url, {
    connectionName: 'messaging-live',
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2_000),
  });
  // Said once per outage by the service's own connection.
  const note = (err: unknown) => logger.debug({ err }, 'Redis does not answer the sockets');
  redis.on('error', note);
  // The adapter waits for no publication; one that a closing connection refuses must not end the process.
  const publish = redis.publish.bind(redis);
  redis.publish = (channel: string | Buffer, message: string | Buffer) =>
    publish(channel, message).catch((err: unknown) => (note(err), 0));
  return redis;
}

async function admit({ verifier }: Parts, io: LiveServer, socket: LiveSocket): Promise<void> {
  const { token } = socket.handshake.auth as { token?: unknown };
  if (typeof token !== 'string' || token === '')
    throw unauthorized('not_authenticated', 'Please sign in to continue.');
  const principal = await verifier.verify(token);
  if (principal.audience !== 'user') throw forbidden('wrong_audience', 'This is for users of the app.');
  const own = io.of('/').adapter.rooms.get(userRoom(principal.userId))?.size ?? 0;
  if (own >= MAX_SOCKETS_PER_USER)
    throw tooManyRequests('Karaar is open in too many places. Close some and try again.', 30);
  socket.data = { principal, token };
}

/** Who talks more than any page does is not a page. */
function limitTalk(socket: LiveSocket): void {
  const bucket = createBucket(BURST, PER_SECOND);
  socket.use((_packet, next) => {
    if (bucket.take(performance.now())) next();
    else socket.disconnect(true);
  });
}

/** Ends every socket of this process, for a shutdown: browsers come back, to another process. */
async function closeSockets(io: LiveServer, shared: Redis): Promise<void> {
  io.local.disconnectSockets(true);
  io.engine.close();
  const { adapter } = io.of('/');
  // Each publication starts the adapter's heartbeat anew, also one after its end (that these sockets are gone, say):
  // a timer that would keep the process from ending.
  Object.assign(adapter, { scheduleHeartbeat: () => undefined });
  await adapter.close();
  // After what is still on its way; not for longer than a moment when Redis is away.
  const late = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  // A connection that is gone before it can say goodbye is as good.
  const goodbye = shared.quit().catch(() => undefined);
  await Promise.race([goodbye, late]);
  shared.disconnect();
}
