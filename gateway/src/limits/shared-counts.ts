import type { Logger } from '@karaar/observability/logging';
import type { Redis } from '@karaar/storage/redis';
import type { SharedCounts, WindowCounter } from './window-counter.ts';

const SYNC_MS = 250;

/** Counters in Redis. A batch needs one round trip, and each counter expires by itself. */
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

/**
 * Sends the counts to the shared store four times a second.
 * @returns a function that stops it
 */
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
  // Not unreferenced on purpose: while a referenced timer exists, the deadline timers of requests start and
  // stop without extra work in the event loop.
  const timer = setInterval(() => void sync(), SYNC_MS);
  return () => clearInterval(timer);
}
