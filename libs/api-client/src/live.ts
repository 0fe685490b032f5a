import type { LiveAnswer, LiveCommands, LiveEvents, LiveRefusal } from '@karaar/contracts/messaging/live';
import type { io, Socket } from 'socket.io-client';

type Handler<E extends keyof LiveEvents> = (data: LiveEvents[E]) => void;

/**
 * The one socket of the app. It comes back by itself, and moves before its server ends, without being down between. While
 * it is down, pages ask as often as the specification says.
 */
export type LiveClient = {
  /** Whether the server can tell us something right now. */
  isUp: () => boolean;
  /** Calls back at each change of {@link isUp}. @returns how to stop it */
  onState: (listener: () => void) => () => void;
  /** Calls back when the server tells something. @returns how to stop it */
  on: <E extends keyof LiveEvents>(event: E, handler: Handler<E>) => () => void;
  /** Says something to the server. Answers `{ok: false, code: 'down'}` when it does not get through. */
  say: <C extends keyof LiveCommands>(command: C, data: LiveCommands[C]) => Promise<LiveAnswer>;
};

export type LiveOptions = {
  /** The access token of the moment, asked for at each connection. */
  token: () => string | null;
  /** The server does not let this session in (any more). */
  onRefused: (refusal: LiveRefusal) => void;
};

/** Milliseconds that the server may take to answer what we say. */
const ANSWER_MS = 5_000;
/** Milliseconds that a socket is kept beside the one that has taken its place. */
const LINGER_MS = 1_000;
/** Milliseconds until the library is asked for again, doubled at each try up to the second. */
const LOAD_AGAIN_MS = [1_000, 8_000] as const;

type Library = { io: typeof io };

type SocketParts = {
  /** Whether this socket counts, or is to take the place of the one that counts. */
  isWanted: (made: Socket) => boolean;
  onUp: (made: Socket) => void;
  onDown: (made: Socket) => void;
  onEvent: (event: string, data: unknown) => void;
};

/** Opens a socket to the server; {@link SocketParts} is told what happens to it. */
function openSocket({ io }: Library, { token, onRefused }: LiveOptions, parts: SocketParts): Socket {
  const made = io({
    path: '/socket.io/',
    transports: ['websocket'],
    forceNew: true,
    auth: (give) => give({ token: token() ?? '' }),
    reconnectionDelay: 500,
    reconnectionDelayMax: 8_000,
  });
  const connectAgain = (ms: number) => setTimeout(() => parts.isWanted(made) && made.connect(), ms);
  made.on('connect', () => parts.onUp(made));
  made.on('disconnect', (reason) => {
    parts.onDown(made);
    // The server has closed it (a session's end, a restart): it is asked again, and says which it was.
    if (reason === 'io server disconnect') connectAgain(500);
  });
  made.on('connect_error', (error) => {
    const refusal = (error as { data?: LiveRefusal }).data;
    if (refusal) onRefused(refusal);
    // A refusal stops the library's own tries; one that may pass is tried again.
    if (refusal && refusal.status >= 429) connectAgain(8_000);
  });
  made.onAny(parts.onEvent);
  return made;
}

/** The socket that counts, and during a move the one that is to take its place. */
function createSockets(changed: () => void, onEvent: SocketParts['onEvent']) {
  let socket: Socket | null = null;
  let successor: Socket | null = null;

  /** What was said before the new socket was up is still on its way to the old one. */
  const letGo = (old: Socket) =>
    setTimeout(() => {
      old.disconnect();
      // Of what came by both ways the older may have come last: what counts is asked for.
      changed();
    }, LINGER_MS);

  const parts: SocketParts = {
    isWanted: (made) => made === socket || made === successor,
    onUp: (made) => {
      if (!parts.isWanted(made)) return;
      const other = made === socket ? successor : socket;
      socket = made;
      successor = null;
      if (other?.connected) letGo(other);
      else {
        other?.disconnect();
        changed();
      }
    },
    onDown: (made) => {
      if (made === socket) changed();
    },
    onEvent,
  };
  return {
    current: () => socket,
    open: (library: Library, options: LiveOptions) => {
      socket = openSocket(library, options, parts);
    },
    /** Opens a socket that becomes the one that counts as soon as it is up. */
    move: (library: Library, options: LiveOptions) => {
      successor ??= openSocket(library, options, parts);
    },
    close: () => {
      const open = [socket, successor];
      socket = null;
      successor = null;
      for (const one of open) one?.disconnect();
      changed();
    },
  };
}

/**
 * A live client that has its own listeners: it can be handed out before there is a socket.
 *
 * @param load fetches the socket's library, which is not loaded with the first page because no part of it is drawn by
 *   the socket
 */
export function createLiveClient(
  load: () => Promise<Library> = () => import('socket.io-client'),
): LiveClient & { open: (options: LiveOptions) => () => void } {
  const handlers = new Map<string, Set<(data: unknown) => void>>();
  const listeners = new Set<() => void>();
  const sockets = createSockets(
    () => listeners.forEach((listener) => listener()),
    (event, data) => handlers.get(event)?.forEach((handle) => handle(data)),
  );

  const on = <E extends keyof LiveEvents>(event: E, handler: Handler<E>): (() => void) => {
    const known = handlers.get(event) ?? new Set();
    handlers.set(event, known);
    known.add(handler as (data: unknown) => void);
    return () => known.delete(handler as (data: unknown) => void);
  };

  return {
    isUp: () => sockets.current()?.connected === true,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    on,
    say: async (command, data) => {
      const socket = sockets.current();
      if (!socket?.connected) return { ok: false, code: 'down' };
      try {
        return (await socket.timeout(ANSWER_MS).emitWithAck(command, data)) as LiveAnswer;
      } catch {
        // No answer in time: the connection is gone or about to be.
        return { ok: false, code: 'down' };
      }
    },
    open: (options) => {
      let closed = false;
      let move: ReturnType<typeof setTimeout> | undefined;
      let stopMoving: () => void = () => undefined;
      const start = (library: Library) => {
        sockets.open(library, options);
        // Not all at once: the process that takes over would meet everybody in one moment.
        stopMoving = on('server.leaving', ({ within_ms }) => {
          move ??= setTimeout(() => {
            move = undefined;
            sockets.move(library, options);
          }, Math.random() * within_ms);
        });
      };
      // A page opened just as the network went away: it goes on asking the server, and comes by the library later.
      const loadAndStart = (againMs: number) => {
        load().then(
          (library) => !closed && start(library),
          () =>
            !closed &&
            setTimeout(() => !closed && loadAndStart(Math.min(againMs * 2, LOAD_AGAIN_MS[1])), againMs),
        );
      };
      loadAndStart(LOAD_AGAIN_MS[0]);
      return () => {
        closed = true;
        clearTimeout(move);
        stopMoving();
        sockets.close();
      };
    },
  };
}
