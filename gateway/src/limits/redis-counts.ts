import type { Redis } from 'ioredis';
import type { SharedCounts } from './window-counter.ts';

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
