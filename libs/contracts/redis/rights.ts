/**
 * The rights of each process in Redis, by prefix of the key: the only source from which development, tests, compose
 * and Kubernetes make its users (docs/adr/0054). The rules are those of `ACL SETUSER`, which Redis 7 and Valkey
 * share.
 */
import { SERVICE_NAMES } from '../names.ts';

/** The services and the gateway. */
export const REDIS_USERS = [...SERVICE_NAMES, 'gateway'] as const;
export type RedisUser = (typeof REDIS_USERS)[number];

/** The begin of the channels over which processes of the messaging service tell each other. */
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
    // A subscription to a pattern is allowed only for exactly the pattern named here.
    ...['#/#*', '-request#/#*', '-response#/#*'].map((rest) => `&${LIVE_CHANNEL}${rest}`),
    ...['publish', 'subscribe', 'psubscribe', 'unsubscribe', 'punsubscribe'].map((command) => `+${command}`),
    '+pubsub|numsub',
  ],
};

/** The rules of one user, without the password. What is not named is refused. */
export const redisRules = (user: RedisUser): string =>
  ['resetkeys', 'resetchannels', '-@all', ...CONNECTION, ...SESSIONS, ...(OWN[user] ?? [])].join(' ');

/** What a service may ask a sentinel: where the master is. */
export const SENTINEL_RULES = [
  ...['resetchannels', '-@all', '+auth', '+hello', '+ping', '+info', '+client|setname'],
  ...['+sentinel|get-master-addr-by-name', '+sentinel|sentinels'],
].join(' ');

/** `user NAME on …`, as the configuration of Redis has it. @param password in the clear */
export const redisUser = (user: RedisUser, password: string, rules = redisRules(user)): string =>
  `user ${user} on >${password} ${rules}`;

/** The variable in which Valkey's configuration finds a user's password. */
export const redisPasswordVariable = (user: RedisUser): string => `VALKEY_${user.toUpperCase()}_PASSWORD`;
