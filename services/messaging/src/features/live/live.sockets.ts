import type { LiveRefusal } from '@karaar/contracts/messaging/live';
import { LIVE_PATH } from '@karaar/contracts/messaging/live';
import { forbidden, toWire, tooManyRequests, unauthorized } from '@karaar/base/errors';
import type { HttpApp } from '@karaar/http';
import type { Foundation } from '@karaar/service';
import { Server } from 'socket.io';
import { createCluster, type Cluster } from './live.cluster.ts';
import type { LiveServer, LiveSocket } from './live.server.ts';
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

type Parts = Pick<Foundation<unknown>, 'verifier' | 'redis' | 'logger'>;

/**
 * Opens the socket server on the service's port. The handshake has the user's access token; before it a
 * socket is in no room, and after {@link HANDSHAKE_MS} without it the socket is closed. Processes share rooms
 * through Redis. `leave` refuses new sockets and has the open ones reconnect to another process, each at a
 * random moment within that time.
 */
export function openSockets(
  app: HttpApp,
  redisUrl: string,
  parts: Parts,
): {
  io: LiveServer;
  send: Cluster['send'];
  leave: (withinMs: number) => void;
  close: () => Promise<void>;
} {
  let leaving = false;
  const cluster = createCluster(redisUrl, parts.logger);
  const io: LiveServer = new Server(app.server, {
    path: LIVE_PATH,
    // A socket that was asked to leave must not be admitted here again.
    allowRequest: (_req, decide) => decide(leaving ? 'leaving' : null, !leaving),
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: HANDSHAKE_MS,
    pingInterval: 20_000,
    pingTimeout: 10_000,
    // Messages are short: compression costs more than it saves, and memory for every socket.
    perMessageDeflate: false,
    adapter: cluster.adapter,
  });
  // Tells the pages here that they may have missed an event.
  cluster.join(io, () => io.local.emit('missed', {}));
  // The handshake's request is not needed later, and is most of a socket's memory.
  io.engine.on('connection', (raw: { request: unknown }) => (raw.request = null));

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
  return {
    io,
    send: cluster.send,
    leave: (withinMs) => {
      leaving = true;
      if (withinMs > 0) io.local.emit('server.leaving', { within_ms: withinMs });
    },
    close: () => closeSockets(io, cluster),
  };
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

function limitTalk(socket: LiveSocket): void {
  const bucket = createBucket(BURST, PER_SECOND);
  socket.use((_packet, next) => {
    if (bucket.take(performance.now())) next();
    else socket.disconnect(true);
  });
}

async function closeSockets(io: LiveServer, cluster: Cluster): Promise<void> {
  io.local.disconnectSockets(true);
  io.engine.close();
  await cluster.close();
}
