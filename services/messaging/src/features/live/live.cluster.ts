/** Lets the processes of the service share rooms. */
import { randomUUID } from 'node:crypto';
import { LIVE_CHANNEL } from '@karaar/contracts/redis/rights';
import type { Logger } from '@karaar/observability/logging';
import { createAdapter } from '@socket.io/redis-adapter';
import { openHintRedis } from './live.redis.ts';
import type { LiveServer, RoomEvent } from './live.server.ts';

const HELLO_MS = 1_000;
/** Far more than the processes of an installation; each restart adds one. */
const MOST_HEARD = 1_000;

export type Cluster = {
  adapter: ReturnType<typeof createAdapter>;
  /**
   * Starts the exchange with the other processes.
   * @param onMissed called when a publication of another process is missing
   */
  join: (io: LiveServer, onMissed: () => void) => void;
  /** Sends to every socket of a room, at every process; sockets of this process do not wait for Redis. */
  send: (...event: RoomEvent) => void;
  close: () => Promise<void>;
};

/**
 * Processes exchange events by Redis pub/sub, which stores nothing: in a Redis stream, users' messages would
 * stay on disk after their deletion. The pages of a process that missed publications ask the API for what
 * they lack.
 * All events of one turn of the event loop share a publication. While no other process listens or Redis is
 * down, nothing is published, because a late hint is useless. The publication still counts, so that a process
 * that should have received it notices the gap.
 */
export function createCluster(url: string, logger: Logger): Cluster {
  // Debug level only, because the service's own connection already logs each outage.
  const note = (err: unknown) => logger.debug({ err }, 'Redis does not answer the sockets');
  const talking = openHintRedis(url, note);
  const hearing = openHintRedis(url, note);
  const me = randomUUID();
  /** The number of the last publication by process, kept while this one is alone: the others may only be cut off. */
  const heard = new Map<string, number>();
  let server: LiveServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let alone = false;
  let waiting: RoomEvent[] = [];
  let no = 0;

  const publish = (events: RoomEvent[]) => {
    no += 1;
    if (talking.status === 'ready') server?.serverSideEmit('word', { from: me, no, told: events });
  };
  const flush = () => {
    const events = waiting;
    waiting = [];
    if (alone) no += 1;
    else publish(events);
  };
  const sendHere = ([room, event, data]: RoomEvent) => {
    if (!server?.of('/').adapter.rooms.has(room)) return;
    // socket.io types its arguments per event; the pair is typed by `Told`.
    (server.local.to(room) as { emit: (event: string, data: unknown) => boolean }).emit(event, data);
  };
  const count = async () => {
    // Without its subscription, a process cannot know that it is alone.
    if (talking.status !== 'ready' || hearing.status !== 'ready') return void (alone = false);
    alone = (await server?.of('/').adapter.serverCount()) === 1;
  };

  return {
    adapter: createAdapter(talking, hearing, { key: LIVE_CHANNEL }),
    join: (io, onMissed) => {
      server = io;
      io.on('word', ({ from, no: nth, told: events }) => {
        // Any publication, even the first of a new process, shows that there is another process.
        alone = false;
        const last = heard.get(from);
        // The process that was heard least recently is the first to be forgotten.
        heard.delete(from);
        heard.set(from, nth);
        if (heard.size > MOST_HEARD) heard.delete([...heard.keys()][0] ?? '');
        for (const each of events) sendHere(each);
        if (last !== undefined && nth > last + 1) onMissed();
      });
      const hello = () => {
        publish([]);
        count().catch(note);
      };
      timer = setInterval(hello, HELLO_MS).unref();
      hello();
    },
    send: (...event) => {
      sendHere(event);
      if (waiting.push(event) === 1) setImmediate(flush);
    },
    close: async () => {
      clearInterval(timer);
      server = undefined;
      // Lets pending commands finish, but waits at most a second in case Redis is down.
      const late = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      await Promise.race([Promise.allSettled([talking.quit(), hearing.quit()]), late]);
      talking.disconnect();
      hearing.disconnect();
    },
  };
}
