/**
 * Knows which users are online at any process. Entries in Redis expire, so that the users of a dead process
 * go offline. Asking the other processes instead would send the handshakes of their sockets, tokens included,
 * through Redis.
 */
import { randomUUID } from 'node:crypto';
import type { Foundation } from '@karaar/service';

/** Milliseconds between two confirmations, and until an entry without confirmation expires. */
const CONFIRM_MS = 10_000;
const TRUE_FOR_MS = 35_000;
const BATCH = 500;

export type Presence = {
  enter: (userId: string) => Promise<void>;
  /**
   * A socket of the user closed in this process. Returns true if the user has no socket left at any process.
   */
  leave: (userId: string) => Promise<boolean>;
  /** Returns those of the users who are online; none while Redis is down. */
  hereAmong: (userIds: readonly string[]) => Promise<string[]>;
  /**
   * Called at shutdown before the sockets close: their users reconnect to another process and do not appear
   * offline.
   */
  close: () => Promise<void>;
};

const keyOf = (userId: string) => `live:here:${userId}`;

export function createPresence({ redis, logger }: Pick<Foundation<unknown>, 'redis' | 'logger'>): Presence {
  const process = randomUUID();
  const counts = new Map<string, number>();
  let closed = false;
  const note = (err: unknown) => logger.debug({ err }, 'presence could not be kept');

  const confirm = async (userIds: readonly string[]) => {
    const pipeline = redis.pipeline();
    for (const id of userIds) {
      pipeline.zadd(keyOf(id), Date.now() + TRUE_FOR_MS, process);
      pipeline.pexpire(keyOf(id), TRUE_FOR_MS);
    }
    await pipeline.exec();
  };
  const countHere = async (userIds: readonly string[]): Promise<number[]> => {
    const pipeline = redis.pipeline();
    for (const id of userIds) pipeline.zcount(keyOf(id), Date.now(), '+inf');
    return ((await pipeline.exec()) ?? []).map(([, count]) => Number(count ?? 0));
  };
  const confirmAll = async () => {
    const ids = [...counts.keys()];
    for (let at = 0; at < ids.length; at += BATCH) await confirm(ids.slice(at, at + BATCH));
  };
  const timer = setInterval(() => void confirmAll().catch(note), CONFIRM_MS);
  timer.unref();

  return {
    enter: async (userId) => {
      const count = (counts.get(userId) ?? 0) + 1;
      counts.set(userId, count);
      if (count === 1) await confirm([userId]);
    },
    leave: async (userId) => {
      if (closed) return false;
      const count = (counts.get(userId) ?? 1) - 1;
      if (count > 0) {
        counts.set(userId, count);
        return false;
      }
      counts.delete(userId);
      await redis.zrem(keyOf(userId), process);
      const [elsewhere = 0] = await countHere([userId]);
      return elsewhere === 0 && !counts.has(userId);
    },
    hereAmong: async (userIds) => {
      if (userIds.length === 0) return [];
      const found = await countHere(userIds);
      return userIds.filter((_, at) => (found[at] ?? 0) > 0);
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      const pipeline = redis.pipeline();
      for (const id of counts.keys()) pipeline.zrem(keyOf(id), process);
      counts.clear();
      // Entries that cannot be removed expire.
      await pipeline.exec().catch(note);
    },
  };
}
