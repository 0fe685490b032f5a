import { ownRedis, type OwnRedis } from '@karaar/testing/servers/own-redis';
import { startProxy } from '@karaar/testing/servers/proxy';
import { until } from '@karaar/testing/until';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady, type Redis } from './index.ts';

describe('createRedis', () => {
  let server: OwnRedis;
  let redis: Redis;

  beforeAll(async () => {
    server = await ownRedis();
    await server.start();
    redis = createRedis({
      url: server.url,
      name: 'test',
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
    await redisReady(redis);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.kill();
  });

  it('fails at once while Redis is away, and recovers when it is back', async () => {
    await redis.set('k', 'v');
    expect(await redis.get('k')).toBe('v');

    await server.kill();
    const before = performance.now();
    await expect(redis.get('k')).rejects.toThrow();
    await expect(redis.get('k')).rejects.toThrow();
    expect(performance.now() - before).toBeLessThan(2_000);

    await server.start();
    await redisReady(redis, 10_000);
    expect(await redis.get('k')).toBeNull();
  });
});

it('abandons a connection that has gone silent, and recovers on another one', async () => {
  const server = await ownRedis();
  await server.start();
  const proxy = await startProxy(Number(new URL(server.url).port));
  const url = new URL(server.url);
  url.port = String(proxy.port);
  const redis = createRedis({
    url: url.toString(),
    name: 'test',
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await redisReady(redis);
  await redis.set('k', 'v');
  proxy.loseReplies();
  await expect(redis.get('k')).rejects.toThrow();
  await until('the silent connection is closed', () => redis.status !== 'ready', 10_000);
  proxy.reset();
  await redisReady(redis, 10_000);
  expect(await redis.get('k')).toBe('v');
  redis.disconnect();
  await proxy.close();
  await server.kill();
}, 30_000);

it('reports that Redis does not answer instead of waiting forever', async () => {
  const away = await ownRedis();
  const redis = createRedis({
    url: away.url,
    name: 'test',
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await expect(redisReady(redis, 300)).rejects.toThrow('Redis does not answer');
  // Without a connection to end, ioredis leaves a timer of 2 s.
  await away.start();
  await redisReady(redis, 10_000);
  redis.disconnect();
  await away.kill();
});
