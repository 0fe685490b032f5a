import { REDIS_USERS, redisUser, type RedisUser } from '@karaar/contracts/redis/rights';
import type { Part } from '../processes/part.ts';
import { askPort } from '../processes/ports.ts';
import type { BackingPaths } from './paths.ts';
import { startServer } from './server-program.ts';

/**
 * Starts redis-server with an append-only file under the state directory, and a user for each service.
 * `launcher` has all rights, for the start tool and tests.
 *
 * @param databases number of databases (test files use one each)
 * @param passwordOf returns the password of a service's user
 */
export function startRedis(
  paths: BackingPaths,
  databases: number,
  passwordOf: (user: RedisUser) => string = redisPasswords(paths),
): Promise<Part> {
  const password = paths.secret('redis-password');
  return startServer(paths, {
    name: 'redis',
    program: 'redis-server',
    args: [],
    url: (port) => `redis://launcher:${password}@127.0.0.1:${port}`,
    config: (at) => redisConfig({ ...at, password, passwordOf, databases, durable: true }),
    probe: async (port) => {
      const answer = await askPort(port, `AUTH launcher ${password}\r\nPING\r\n`);
      // While it loads the append-only file, it answers PING with -LOADING.
      if (!answer.includes('+PONG')) throw new Error(answer.trim());
    },
  });
}

/** Returns the server's configuration file: `launcher` with its password, and the users of the contracts. */
export function redisConfig(cfg: {
  listenHost: string;
  port: number;
  dir: string;
  password: string;
  passwordOf: (user: RedisUser) => string;
  databases: number;
  /** True for an append-only file. */
  durable: boolean;
}): string {
  return [
    `bind ${cfg.listenHost}`,
    `port ${cfg.port}`,
    `dir ${JSON.stringify(cfg.dir)}`,
    'user default off',
    `user launcher on >${cfg.password} ~* &* +@all`,
    ...REDIS_USERS.map((user) => redisUser(user, cfg.passwordOf(user))),
    `databases ${cfg.databases}`,
    `appendonly ${cfg.durable ? 'yes' : 'no'}`,
    'save ""',
    'daemonize no',
    '',
  ].join('\n');
}

/** The passwords of the services' users, stored with the other secrets of the state directory. */
export const redisPasswords =
  (paths: BackingPaths) =>
  (user: RedisUser): string =>
    paths.secret(`redis-${user}`);

/**
 * Returns the URL of Redis for one of the contracts' users.
 *
 * @param url of `launcher`; the URL of any other server is returned unchanged
 */
export function redisUrlOf(url: string, user: RedisUser, passwordOf: (user: RedisUser) => string): string {
  const own = new URL(url);
  if (own.username !== 'launcher') return url;
  [own.username, own.password] = [user, passwordOf(user)];
  return own.toString();
}
