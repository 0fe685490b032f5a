/** How the processes of the service share rooms: each tells its own sockets, and the other processes what it told. */
import { randomUUID } from 'node:crypto';
import { LIVE_CHANNEL } from '@karaar/contracts/redis/rights';
import type { Logger } from '@karaar/platform/logging';
import { createAdapter } from '@socket.io/redis-adapter';
import { openHintRedis } from './live.redis.ts';
import type { LiveServer, Told } from './live.server.ts';

/** Milliseconds between two words of a process that it is there. */
const HELLO_MS = 1_000;

export type Cluster = {
  adapter: ReturnType<typeof createAdapter>;
  /** Begins to talk with the others. @param onMissed called when something of theirs has not come here */
  join: (io: LiveServer, onMissed: () => void) => void;
  /** To every socket of a room, at every process; the own ones never wait for Redis. */
  send: (...told: Told) => void;
  close: () => Promise<void>;
};

/**
 * Processes exchange everything by Redis pub/sub, which stores nothing: in a Redis stream the messages of users would
 * stay on disk after their deletion. The pages of a process that missed publications ask for what they lack.
 *
 * All events of one turn of the event loop go out in one publication. While no other process listens, or while Redis
 * is away, nothing is published (a late hint is useless); the publication is counted all the same, so that a process
 * that should have had it notices the gap.
 */
export function createCluster(url: string, logger: Logger): Cluster {
  // Said once per outage by the service's own connection.
  const note = (err: unknown) => logger.debug({ err }, 'Redis does not answer the sockets');
  const talking = openHintRedis(url, note);
  const hearing = openHintRedis(url, note);
  const me = randomUUID();
  /** The last word that was heard of each other process. */
  const heard = new Map<string, number>();
  let server: LiveServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let alone = false;
  let waiting: Told[] = [];
  let no = 0;

  const publish = (told: Told[]) => {
    no += 1;
    if (talking.status === 'ready') server?.serverSideEmit('word', { from: me, no, told });
  };
  const flush = () => {
    const told = waiting;
    waiting = [];
    if (alone) no += 1;
    else publish(told);
  };
  const sendHere = ([room, event, data]: Told) => {
    // What nobody here hears need not be written down.
    if (!server?.of('/').adapter.rooms.has(room)) return;
    // socket.io types its arguments per event; the pair is typed by `Told`.
    (server.local.to(room) as { emit: (event: string, data: unknown) => boolean }).emit(event, data);
  };
  const count = async () => {
    // Without an ear of its own a process does not know whether it is alone.
    if (talking.status !== 'ready' || hearing.status !== 'ready') return void (alone = false);
    alone = (await server?.of('/').adapter.serverCount()) === 1;
    if (alone) heard.clear();
  };

  return {
    adapter: createAdapter(talking, hearing, { key: LIVE_CHANNEL }),
    join: (io, onMissed) => {
      server = io;
      io.on('word', ({ from, no: nth, told }) => {
        // Also the first publication of a process that has just started.
        alone = false;
        const last = heard.get(from);
        heard.set(from, nth);
        for (const each of told) sendHere(each);
        if (last !== undefined && nth > last + 1) onMissed();
      });
      const hello = () => {
        publish([]);
        count().catch(note);
      };
      timer = setInterval(hello, HELLO_MS).unref();
      hello();
    },
    send: (...told) => {
      sendHere(told);
      if (waiting.push(told) === 1) setImmediate(flush);
    },
    close: async () => {
      clearInterval(timer);
      server = undefined;
      // After what is still on its way; not for longer than a moment when Redis is away.
      const late = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      // A connection that is gone before it can say goodbye is as good.
      await Promise.race([Promise.allSettled([talking.quit(), hearing.quit()]), late]);
      talking.disconnect();
      hearing.disconnect();
    },
  };
}
