/** Tries, at Redis and PostgreSQL themselves, the credentials of one service. */
import { Redis } from 'ioredis';
import { withClient } from '../../../src/database.ts';

/** A command on the drill's own keys for each ability, as docs/security.md names it. */
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

/** @param url of the service's own user */
export async function tryRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  const able: string[] = [];
  try {
    for (const [ability, [command, ...rest]] of Object.entries(COMMANDS))
      try {
        await redis.call(command, ...rest);
        able.push(ability);
      } catch (error) {
        if (!String(error).includes('NOPERM')) throw error;
      }
    return able;
  } finally {
    redis.disconnect();
  }
}

/** Returns the databases of services that the role may open. @param url of the service's own role */
export async function tryPostgres(url: string): Promise<string[]> {
  const able: string[] = [];
  const names = "select datname as name from pg_database where datname like 'karaar\\_%' order by datname";
  const { rows } = await withClient(url, (client) => client.query<{ name: string }>(names));
  for (const { name } of rows) {
    const other = new URL(url);
    other.pathname = `/${name}`;
    try {
      await withClient(other.href, async () => void able.push(name));
    } catch (error) {
      // 42501: the role may not connect.
      if ((error as { code?: string }).code !== '42501') throw error;
    }
  }
  return able;
}
