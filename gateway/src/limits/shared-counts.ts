import type { Logger } from '@karaar/platform/logging';
import type { Redis } from '@karaar/platform/redis';
import type { SharedCounts, WindowCounter } from './window-counter.ts';

const SYNC_MS = 250;

/** Counters in Redis; one round trip per batch. Each counter expires on its own. */
export function redisCounts(redis: Redis): SharedCounts {
  return {
    async add(counts) {
      const pipeline = redis.pipeline();
      for (const { key, by, ttlMs } of counts) pipeline.incrby(key, by).pexpire(key, ttlMs);
      const results = (await pipeline.exec()) ?? [];
      return counts.map((_count, index) => {
        const [error, total] = results[index * 2] ?? [new Error('Redis left a command unanswered'), null];
        if (error) throw error;
        return Number(total);
      });
    },
  };
}

/** Sends the counts to the shared store, four times a second. @returns ends it */
export function keepSharing(
  counters: readonly WindowCounter[],
  shared: SharedCounts,
  log: Pick<Logger, 'info' | 'warn'>,
): () => void {
  let away = false;
  let busy = false;
  const sync = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      for (const counter of counters) await counter.sync(shared);
      if (away) log.info('Counts are shared again');
      away = false;
    } catch (err) {
      if (!away) log.warn({ err }, 'Requests are counted by this process alone');
      away = true;
    } finally {
      busy = false;
    }
  };
  // Left referenced on purpose: while one timer is, the deadline timers of requests come and go without
  // each waking the event loop's bookkeeping.
  const timer = setInterval(() => void sync(), SYNC_MS);
  return () => clearInterval(timer);
}
