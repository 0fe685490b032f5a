import { tooManyRequests } from '@karaar/platform/errors';
import type { Redis } from '@karaar/platform/redis';

/** Counts a use; throws 429 with Retry-After once the window is full, and fails when Redis is away. */
export type RateLimit = (who: string) => Promise<void>;

const COUNT = `
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { n, redis.call('PTTL', KEYS[1]) }`;

export function createRateLimit(
  redis: Redis,
  rule: { name: string; max: number; windowMs: number; text: string },
): RateLimit {
  return async (who) => {
    const [count, leftMs] = (await redis.eval(COUNT, 1, `limit:${rule.name}:${who}`, rule.windowMs)) as [
      number,
      number,
    ];
    if (count > rule.max) throw tooManyRequests(rule.text, Math.max(1, Math.ceil(leftMs / 1_000)));
  };
}
