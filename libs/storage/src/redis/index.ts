/**
 * Redis connections that fail fast: losing Redis must not slow anything down or grant access (design §2.7).
 */
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '@karaar/observability/logging';

export type { Redis };

const SENTINEL =
  /^redis\+sentinel:\/\/(?:(?<user>[^:@]*):(?<password>[^@]*)@)?(?<hosts>[^/]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d+))?$/;

/**
 * Returns ioredis options for `redis://…`, or for `redis+sentinel://user:password@host:port,…/master[/db]`,
 * where every connection asks the sentinels for the current master. Sentinels and master share user and
 * password.
 * @throws Error for an invalid sentinel address, without quoting the address, which contains a password
 */
export function redisAddress(url: string): { url: string | undefined; options: RedisOptions } {
  if (!url.startsWith('redis+sentinel:')) return { url, options: {} };
  const found = SENTINEL.exec(url)?.groups;
  if (!found?.hosts || !found.name) throw new Error('REDIS_URL: not a redis+sentinel address');
  const password = found.password ? decodeURIComponent(found.password) : undefined;
  const sentinels = found.hosts.split(',').map((one) => {
    const [host = '', port = '26379'] = one.split(':');
    return { host, port: Number(port) };
  });
  return {
    url: undefined,
    options: {
      sentinels,
      name: found.name,
      db: Number(found.db ?? 0),
      ...(found.user ? { username: decodeURIComponent(found.user) } : {}),
      ...(password === undefined
        ? {}
        : {
            password,
            sentinelPassword: password,
            ...(found.user ? { sentinelUsername: decodeURIComponent(found.user) } : {}),
          }),
    },
  };
}

/** Opens a connection to `url` with these options. @param Client a subclass of the ioredis client */
export function openRedis(url: string, options: RedisOptions, Client: typeof Redis = Redis): Redis {
  const address = redisAddress(url);
  const all = { ...options, ...address.options };
  return address.url === undefined ? new Client(all) : new Client(address.url, all);
}

/**
 * Closes and reopens a connection without answers: a command timeout alone would keep it in use for as long
 * as TCP retransmits. Without commands, TCP keep-alive probes the other side.
 */
export const SUBSCRIBER_TIMEOUTS = { socketTimeout: 2_000, keepAlive: 10_000 } as const;

/**
 * Returns a connection that reconnects forever with bounded back-off. While Redis is away a command fails at
 * once instead of waiting in a queue; a command without an answer fails after `commandTimeoutMs`.
 */
export function createRedis(options: {
  url: string;
  name: string;
  logger: Logger;
  commandTimeoutMs?: number;
}): Redis {
  const redis = openRedis(options.url, {
    connectionName: options.name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: options.commandTimeoutMs ?? 500,
    ...SUBSCRIBER_TIMEOUTS,
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

/** Waits until the connection is usable; a service calls it at start. @throws Error after `timeoutMs` */
export async function redisReady(redis: Redis, timeoutMs = 5_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (redis.status !== 'ready') {
    if (Date.now() > end) throw new Error('Redis does not answer');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
