/** How the processes of the service share rooms: each tells the others what it tells its own sockets. */
import { openRedis, type Redis } from '@karaar/platform/redis';
import type { Logger } from '@karaar/platform/logging';
import { encode } from '@msgpack/msgpack';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { LiveServer } from './live.sockets.ts';

/** Where processes tell each other. */
const CHANNEL = 'karaar-live';
/** The adapter's channel of the one namespace. */
const ALL = `${CHANNEL}#/#`;
/** Milliseconds between two words of a process that it is there. */
const HELLO_MS = 1_000;

export type Cluster = {
  adapter: ReturnType<typeof createAdapter>;
  /** Begins to tell the others. @param onMissed called when something of theirs has not come here */
  join: (io: LiveServer, onMissed: () => void) => void;
  close: (io: LiveServer) => Promise<void>;
};

/**
 * Everything between processes goes by publication, as the adapter itself sends what nobody is to read later. In its
 * stream, and so in Redis' file, the texts of people would stay beyond their deletion; what a process misses meanwhile
 * its pages ask for.
 */
export function createCluster(url: string, logger: Logger): Cluster {
  const shared = openShared(url, logger);
  let leave: () => void = () => undefined;
  return {
    adapter: createAdapter(shared, {
      streamName: CHANNEL,
      channelPrefix: CHANNEL,
      // How long a read waits for news, and so at most how long closing takes.
      blockTimeInMs: 400,
    }),
    join: (io, onMissed) => (leave = tellOthers(io, shared, onMissed)),
    close: async (io) => {
      leave();
      await io.of('/').adapter.close();
      // After what is still on its way; not for longer than a moment when Redis is away.
      const late = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      // A connection that is gone before it can say goodbye is as good.
      const goodbye = shared.quit().catch(() => undefined);
      await Promise.race([goodbye, late]);
      shared.disconnect();
    },
  };
}

/** A process is there; `no` counts its words, so that one that did not come is noticed. */
type Hello = { uid: string; no: number };
/** What an adapter tells the adapters of the other processes. */
type Told = { uid: string; nsp: string };
type AdapterParts = { uid: string; onMessage: (message: Told, offset?: string) => void };

/**
 * Publishes what the adapter tells: everything of one turn of the event loop together, nothing while no other process
 * listens, and nothing while Redis is away (a hint that comes late is none). The own sockets never wait for it.
 * @returns how to stop
 */
function tellOthers(io: LiveServer, shared: Redis, onMissed: () => void): () => void {
  // Parts of the adapter that its types keep to themselves.
  const adapter = io.of('/').adapter as unknown as AdapterParts;
  const hear = adapter.onMessage.bind(adapter);
  const me = adapter.uid;
  /** The last word that was heard of each process, this one included. */
  const heard = new Map<string, number>();
  let alone = false;
  let waiting: Told[] = [];

  const publish = async (messages: readonly (Hello | Told)[]): Promise<number> =>
    shared.status === 'ready' ? await shared.publish(ALL, Buffer.from(encode(messages))) : 0;
  const flush = () => {
    const messages = waiting;
    waiting = [];
    void publish(messages);
  };
  Object.assign(adapter, {
    doPublish: async (message: Told) => {
      if (!alone && waiting.push(message) === 1) setImmediate(flush);
      return '';
    },
    onMessage: (messages: readonly (Hello | Told)[], offset?: string) => {
      for (const message of messages) {
        // Also the first word of one that has just come.
        if (message.uid !== me) alone = false;
        if ('no' in message) hearHello(message);
        else hear(message, offset);
      }
    },
  });
  const hearHello = ({ uid, no }: Hello) => {
    const last = heard.get(uid);
    heard.set(uid, no);
    if (last !== undefined && no > last + 1) onMissed();
  };
  let no = 0;
  const say = async () => {
    const current = (no += 1);
    const listeners = await publish([{ uid: me, no: current }]);
    // The one listener is this process only if it has heard itself.
    alone = listeners === 1 && (heard.get(me) ?? 0) >= current - 1 && current > 1;
    if (alone) for (const uid of heard.keys()) if (uid !== me) heard.delete(uid);
  };
  const timer = setInterval(() => void say(), HELLO_MS).unref();
  void say();
  return () => clearInterval(timer);
}

/**
 * The connection between processes. Unlike the service's own its commands wait while Redis is away: the adapter asks
 * again at once when a read fails, and would do nothing else.
 */
function openShared(url: string, logger: Logger): Redis {
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
