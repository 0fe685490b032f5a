/** What the credentials of one service reach in Redis and PostgreSQL: tried at the servers themselves. */
import { Redis } from 'ioredis';
import { withClient } from '../../../src/database.ts';

/** Each a command on a key or channel of the drill's own, by what it would mean. */
const COMMANDS: Readonly<Record<string, [string, ...string[]]>> = {
  'see sessions': ['get', 'session:drill'],
  'open sessions': ['set', 'session:drill', 'revoked'],
  'count requests': ['incrby', 'limit:drill', '0'],
  'tell who is there': ['zadd', 'live:here:drill', '0', 'drill'],
  'speak between chat processes': ['publish', 'karaar-live-response#/#drill#', ''],
  'use other keys': ['get', 'drill'],
  'list keys': ['keys', 'drill*'],
  'change settings': ['config', 'get', 'port'],
  'change users': ['acl', 'whoami'],
  'run scripts': ['eval', 'return 1', '0'],
};

/** @param url of the service's own user @returns what it may do, in the words above */
export async function tryRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  const able: string[] = [];
  try {
    for (const [word, [command, ...rest]] of Object.entries(COMMANDS)) {
      const refused = await redis.call(command, ...rest).then(
        () => false,
        (error: unknown) => {
          if (String(error).includes('NOPERM')) return true;
          throw error;
        },
      );
      if (!refused) able.push(word);
    }
    return able;
  } finally {
    redis.disconnect();
  }
}

/** @param url of the service's own role @returns the databases, of all that there are, that it may open */
export async function tryPostgres(url: string): Promise<string[]> {
  const able: string[] = [];
  for (const database of await namesOf(url)) {
    const other = new URL(url);
    other.pathname = `/${database}`;
    try {
      await withClient(other.href, async () => void able.push(database));
    } catch (error) {
      // 42501: the role may not connect.
      if ((error as { code?: string }).code !== '42501') throw error;
    }
  }
  return able;
}

/** The databases of the product's services. */
const namesOf = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'karaar\\_%' order by datname",
    );
    return rows.map(({ name }) => name);
  });
