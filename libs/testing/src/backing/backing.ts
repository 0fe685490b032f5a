import { rmSync } from 'node:fs';
import { seconds } from '../machine/report.mjs';
import { startNats } from './nats.ts';
import { backingPaths, type BackingPaths } from './paths.ts';
import type { Part } from '../processes/part.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type { Part } from '../processes/part.ts';
export type BackingName = 'postgres' | 'nats' | 'redis';

export interface BackingOptions {
  /** Folder for data, logs, secrets and process records; created if missing. */
  stateDir: string;
  /** Gets one line per service that is ready. */
  log?: (line: string) => void;
  /** Only these services; all three by default. */
  only?: readonly BackingName[];
  /** false: no fsync in PostgreSQL, for tests that never kill it. */
  durable?: boolean;
  /** Extra NATS accounts t0, t1, … and Redis databases, to isolate test files from each other. */
  isolated?: number;
  /** `DATABASE_URL`, `NATS_URL` and `REDIS_URL` in here replace a service. Pass `{}` to start all. */
  env?: NodeJS.ProcessEnv;
}

export interface Backing {
  /** URL of a PostgreSQL role that may create databases and roles. */
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** One service, for fault tests. Throws for a service that was not started here. */
  part(name: BackingName): Part;
  /** All services that were started here. */
  readonly parts: readonly Part[];
  /** Stops the started services; `remove` also deletes the state directory. */
  stop(options?: { remove?: boolean }): Promise<void>;
}

const overrides = { postgres: 'DATABASE_URL', nats: 'NATS_URL', redis: 'REDIS_URL' } as const;
const redisDatabases = 16;

/**
 * Starts PostgreSQL 18, NATS with JetStream and Redis in parallel on free loopback ports. They end with this
 * process, also when it is killed; leftovers of an earlier, killed process in `stateDir` are stopped first.
 *
 * @throws Error that names the service that did not start; the others are stopped again
 */
export async function startBacking(options: BackingOptions): Promise<Backing> {
  const { stateDir, log = () => undefined, only, durable = true, isolated = 0, env = process.env } = options;
  const paths = backingPaths(stateDir);
  const urls = new Map<BackingName, string>();
  const parts = new Map<BackingName, Part>();
  let outside: string | undefined;

  const starters: Record<BackingName, (paths: BackingPaths) => Promise<Part>> = {
    postgres: async () => {
      const part = await startPostgres(paths, durable);
      outside = part.outside;
      return part;
    },
    nats: () => startNats(paths, isolated),
    // Test files have no access to the secrets: there each user's password is its name.
    redis: () => startRedis(paths, redisDatabases + isolated, isolated > 0 ? (user) => user : undefined),
  };
  const stop = async ({ remove = false } = {}): Promise<void> => {
    await Promise.all([...parts.values()].map((part) => part.stop()));
    if (!remove) return;
    rmSync(stateDir, { recursive: true, force: true });
    if (outside !== undefined) rmSync(outside, { recursive: true, force: true });
  };

  const backingNames = only ?? (Object.keys(starters) as BackingName[]);
  const results = await Promise.allSettled(
    backingNames.map(async (name) => {
      const overrideUrl = env[overrides[name]];
      if (overrideUrl !== undefined && overrideUrl !== '') {
        urls.set(name, overrideUrl);
        log(`${name}: from ${overrides[name]}`);
        return;
      }
      const began = Date.now();
      const part = await starters[name](paths);
      parts.set(name, part);
      urls.set(name, part.url);
      log(`${name}: ready on port ${new URL(part.url).port} (${seconds(began)})`);
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }

  const url = (name: BackingName): string => {
    const found = urls.get(name);
    if (found === undefined) throw new Error(`${name} is not among the parts that were started`);
    return found;
  };
  return {
    get postgresUrl() {
      return url('postgres');
    },
    get natsUrl() {
      return url('nats');
    },
    get redisUrl() {
      return url('redis');
    },
    part: (name) => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`${name} was not started here`);
      return part;
    },
    parts: [...parts.values()],
    stop,
  };
}
