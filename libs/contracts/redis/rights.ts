/**
 * The rights of each process in Redis, by key prefix: the single source for its users in development, tests,
 * compose and Kubernetes (docs/adr/0054). The rules are those of `ACL SETUSER`, which Redis 7 and Valkey
 * share.
 */
import { SERVICE_NAMES } from '../names.ts';

export const REDIS_USERS = [...SERVICE_NAMES, 'gateway'] as const;
export type RedisUser = (typeof REDIS_USERS)[number];

/** Prefix of the channels between the processes of the messaging service. */
export const LIVE_CHANNEL = 'karaar-live';

/** Commands by which a connection identifies itself and checks the other side. */
const CONNECTION = [
  ...['auth', 'hello', 'ping', 'quit', 'select', 'info'].map((command) => `+${command}`),
  '+client|setname',
];

/** Every process checks whether a session is open. */
const SESSIONS = ['%R~session:*', '+get', '+mget'];

const OWN: Readonly<Partial<Record<RedisUser, readonly string[]>>> = {
  auth: ['%W~session:*', '+set'],
  gateway: ['~limit:*', '+incrby', '+pexpire'],
  messaging: [
    ...['~live:here:*', '+zadd', '+zcount', '+zrem', '+pexpire'],
    // A pattern subscription is allowed only for exactly the pattern named here.
    ...['#/#*', '-request#/#*', '-response#/#*'].map((rest) => `&${LIVE_CHANNEL}${rest}`),
    ...['publish', 'subscribe', 'psubscribe', 'unsubscribe', 'punsubscribe'].map((command) => `+${command}`),
    '+pubsub|numsub',
  ],
};

/** Returns the rules of one user, without the password. Everything else is denied. */
export const redisRules = (user: RedisUser): string =>
  ['resetkeys', 'resetchannels', '-@all', ...CONNECTION, ...SESSIONS, ...(OWN[user] ?? [])].join(' ');

/** The only request of a service to a sentinel: the address of the master. */
export const SENTINEL_RULES = [
  ...['resetchannels', '-@all', '+auth', '+hello', '+ping', '+info', '+client|setname'],
  ...['+sentinel|get-master-addr-by-name', '+sentinel|sentinels'],
].join(' ');

/** Returns `user NAME on …`, for the configuration of Redis. @param password in plain text */
export const redisUser = (user: RedisUser, password: string, rules = redisRules(user)): string =>
  `user ${user} on >${password} ${rules}`;

/** Returns the name of the variable with a user's password in Valkey's configuration. */
export const redisPasswordVariable = (user: RedisUser): string => `VALKEY_${user.toUpperCase()}_PASSWORD`;
