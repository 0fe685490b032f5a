/** Redis connections that fail fast: losing Redis must slow nothing down and grant nothing (design §2.7). */
import { Redis } from 'ioredis';
import type { Logger } from '../logging/index.ts';

export type { Redis };

/**
 * A connection that reconnects for ever with bounded back-off. While Redis is away a command fails at once
 * instead of waiting in a queue; a command without an answer fails after `commandTimeoutMs`.
 */
export function createRedis(options: {
  url: string;
  name: string;
  logger: Logger;
  commandTimeoutMs?: number;
}): Redis {
  const redis = new Redis(options.url, {
    connectionName: options.name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: options.commandTimeoutMs ?? 500,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2_000),
  });
  let down = false;
  redis.on('error', (err: Error) => {
    // One line per outage, not one per attempt.
    if (!down) options.logger.warn({ err }, 'Redis does not answer');
    down = true;
  });
  redis.on('ready', () => {
    if (down) options.logger.info('Redis answers again');
    down = false;
  });
  return redis;
}

/** Waits until the connection is usable; a service calls it at start. */
export async function redisReady(redis: Redis, timeoutMs = 5_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (redis.status !== 'ready') {
    if (Date.now() > end) throw new Error('Redis does not answer');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
