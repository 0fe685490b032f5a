import type { LiveAnswer, LiveCommands, LiveEvents, LiveRefusal } from '@karaar/contracts/messaging/live';
import type { io, Socket } from 'socket.io-client';

type Handler<E extends keyof LiveEvents> = (data: LiveEvents[E]) => void;

/**
 * The app's only socket. It reconnects by itself, and moves before its server ends, without an interruption.
 * While it is down, pages poll as often as the specification requires.
 */
export type LiveClient = {
  /** True if the server can send events now. */
  isUp: () => boolean;
  /**
   * Calls back at each change of {@link isUp}.
   * @returns a function that unsubscribes
   */
  onState: (listener: () => void) => () => void;
  /**
   * Calls back on an event of the server.
   * @returns a function that unsubscribes
   */
  on: <E extends keyof LiveEvents>(event: E, handler: Handler<E>) => () => void;
  /** Sends a command to the server. Resolves to `{ok: false, code: 'down'}` if it fails. */
  say: <C extends keyof LiveCommands>(command: C, data: LiveCommands[C]) => Promise<LiveAnswer>;
};

export type LiveOptions = {
  /** Returns the present access token, at each connection. */
  token: () => string | null;
  /** Called if the server refuses this session. */
  onRefused: (refusal: LiveRefusal) => void;
};

/** The milliseconds in which the server must answer a command. */
const ANSWER_MS = 5_000;
/** Milliseconds for which an old socket stays open after its replacement. */
const LINGER_MS = 1_000;
/** Milliseconds until the library is loaded again, doubled at each attempt up to the second value. */
const LOAD_AGAIN_MS = [1_000, 8_000] as const;

type Library = { io: typeof io };

type SocketParts = {
  /** True if this is the active socket, or its intended replacement. */
  isWanted: (made: Socket) => boolean;
  onUp: (made: Socket) => void;
  onDown: (made: Socket) => void;
  onEvent: (event: string, data: unknown) => void;
};

/** Opens a socket to the server; {@link SocketParts} receives its events. */
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
    // The server has closed it (a session's end, a restart): reconnecting reveals which.
    if (reason === 'io server disconnect') connectAgain(500);
  });
  made.on('connect_error', (error) => {
    const refusal = (error as { data?: LiveRefusal }).data;
    if (refusal) onRefused(refusal);
    // A refusal stops the library's own retries; a temporary one is retried.
    if (refusal && refusal.status >= 429) connectAgain(8_000);
  });
  made.onAny(parts.onEvent);
  return made;
}

/** Holds the active socket and, during a move, its replacement. */
function createSockets(changed: () => void, onEvent: SocketParts['onEvent']) {
  let socket: Socket | null = null;
  let successor: Socket | null = null;

  /** Commands sent before the new socket was up are still on their way to the old one. */
  const letGo = (old: Socket) =>
    setTimeout(() => {
      old.disconnect();
      // Events of both sockets may arrive out of order, so the data is requested.
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
    /** Opens a socket that becomes the active one as soon as it is up. */
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
 * Returns a live client with its own listeners, usable before there is a socket.
 * @param load loads the socket's library, which the first page does not need
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
        // No answer in time: the connection is lost or about to be.
        return { ok: false, code: 'down' };
      }
    },
    open: (options) => {
      let closed = false;
      let move: ReturnType<typeof setTimeout> | undefined;
      let stopMoving: () => void = () => undefined;
      const start = (library: Library) => {
        sockets.open(library, options);
        // Spread over time: otherwise all clients would reach the next process at once.
        stopMoving = on('server.leaving', ({ within_ms }) => {
          move ??= setTimeout(() => {
            move = undefined;
            sockets.move(library, options);
          }, Math.random() * within_ms);
        });
      };
      // If the network is lost just after the page opened, polling continues and the library is loaded later.
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
