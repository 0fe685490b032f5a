/** The rights that Redis itself grants each service. */
import { REDIS_USERS, type RedisUser } from '@karaar/contracts/redis/rights';
import { Redis } from 'ioredis';
import { startBacking, type Backing } from './backing.ts';
import { scratch } from '../scratch.ts';
import { redisUrlOf } from './redis.ts';

let backing: Backing;
let remove: () => void;
const open: Redis[] = [];

const as = (user: RedisUser): Redis => {
  const redis = new Redis(redisUrlOf(backing.redisUrl, user, (name) => name));
  open.push(redis);
  return redis;
};

beforeAll(async () => {
  const { dir, remove: away } = scratch();
  remove = away;
  // Isolated, as in test files: each password is the user's name.
  backing = await startBacking({ stateDir: dir, only: ['redis'], isolated: 1, env: {} });
}, 60_000);
afterAll(async () => {
  for (const redis of open) redis.disconnect();
  await backing.stop();
  remove();
});

it('rejects an unknown user', async () => {
  const { host, password } = new URL(backing.redisUrl);
  for (const url of [`redis://${host}`, `redis://:${password}@${host}`, `redis://wallet:no@${host}`]) {
    const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    redis.on('error', () => undefined);
    await expect(redis.get('session:1')).rejects.toThrow();
    redis.disconnect();
  }
});

it.each(REDIS_USERS)('%s', async (user) => {
  const redis = as(user);
  const may = async (...command: [string, ...string[]]): Promise<boolean> => {
    try {
      await redis.call(...command);
      return true;
    } catch (error) {
      if (!String(error).includes('NOPERM')) throw error;
      return false;
    }
  };
  expect({
    look: await may('get', 'session:1'),
    open: await may('set', 'session:1', 'active'),
    count: await may('incrby', 'limit:a', '1'),
    forget: await may('del', 'limit:a'),
    here: await may('zadd', 'live:here:1', '1', 'p'),
    word: await may('publish', 'karaar-live-request#/#', 'x'),
    another: await may('publish', 'another', 'x'),
    any: await may('get', 'else'),
    list: await may('keys', '*'),
    settings: await may('config', 'get', 'requirepass'),
    users: await may('acl', 'list'),
    empty: await may('flushall'),
    script: await may('eval', 'return 1', '0'),
  }).toEqual({
    look: true,
    open: user === 'auth',
    count: user === 'gateway',
    forget: false,
    here: user === 'messaging',
    word: user === 'messaging',
    another: false,
    any: false,
    list: false,
    settings: false,
    users: false,
    empty: false,
    script: false,
  });
});
