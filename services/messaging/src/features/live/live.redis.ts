import { SUBSCRIBER_TIMEOUTS, openRedis } from '@karaar/storage/redis';
import { Redis, type Command } from 'ioredis';

/**
 * socket.io's adapter does not await its commands. A command that fails on a closing connection must not
 * crash the process.
 */
class UnawaitedRedis extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    (args[0] as Command).promise.catch(() => undefined);
    return super.sendCommand(...args);
  }
}

/**
 * Opens a connection for hints. Its subscriptions survive an outage of Redis, unlike those of the service's
 * own connection.
 * @param onError receives every fault of the connection
 */
export function openHintRedis(url: string, onError: (err: unknown) => void): Redis {
  const redis = openRedis(
    url,
    {
      connectionName: 'messaging-live',
      maxRetriesPerRequest: null,
      ...SUBSCRIBER_TIMEOUTS,
      retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2_000),
    },
    UnawaitedRedis,
  );
  redis.on('error', onError);
  return redis;
}
