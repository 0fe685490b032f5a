/** The connections over which the processes of the service talk. */
import { NOTICES_SILENCE, openRedis } from '@karaar/platform/redis';
import { Redis, type Command } from 'ioredis';

/** socket.io's adapter waits for none of its commands; one that a closing connection refuses must not end the process. */
class UnawaitedRedis extends Redis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    (given[0] as Command).promise.catch(() => undefined);
    return super.sendCommand(...given);
  }
}

/**
 * A connection for hints. Unlike the service's own its subscriptions wait while Redis is away.
 * @param onError hears of every fault of the connection
 */
export function openHintRedis(url: string, onError: (err: unknown) => void): Redis {
  const redis = openRedis(
    url,
    {
      connectionName: 'messaging-live',
      maxRetriesPerRequest: null,
      ...NOTICES_SILENCE,
      retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2_000),
    },
    UnawaitedRedis,
  );
  redis.on('error', onError);
  return redis;
}
