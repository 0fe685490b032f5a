import { rmSync } from 'node:fs';
import { seconds } from '../machine/report.mjs';
import { startNats } from './nats.ts';
import { backingPaths, type BackingPaths } from './paths.ts';
import type { Part } from '../processes/part.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type { Part } from '../processes/part.ts';
export type BackingName = 'postgres' | 'nats' | 'redis';

/** What to start and where. */
export interface BackingOptions {
  /** Folder for data, logs, secrets and process records; made when missing. */
  stateDir: string;
  /** Gets one line per part that is ready. */
  log?: (line: string) => void;
  /** Only these parts; all three when absent. */
  only?: readonly BackingName[];
  /** false: no fsync in PostgreSQL, for tests that never kill it. */
  durable?: boolean;
  /** Extra NATS accounts t0, t1, … and Redis databases, for test files that must not meet. */
  isolated?: number;
  /** `DATABASE_URL`, `NATS_URL` and `REDIS_URL` in here replace a part. Pass `{}` for parts of one's own. */
  env?: NodeJS.ProcessEnv;
}

/** The running backing services. */
export interface Backing {
  /** URL of a PostgreSQL role that may create databases and roles. */
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** One part, for fault tests. Throws for a part that was not started here. */
  part(name: BackingName): Part;
  /** All parts that were started here. */
  readonly parts: readonly Part[];
  /** Stops what was started; `remove` deletes the state directory as well. */
  stop(options?: { remove?: boolean }): Promise<void>;
}

const overrides = { postgres: 'DATABASE_URL', nats: 'NATS_URL', redis: 'REDIS_URL' } as const;
const redisDatabases = 16;

/**
 * Starts PostgreSQL 18, NATS with JetStream and Redis on free ports of loopback, next to each other.
 * They end with this process, also when it is killed; what an earlier, killed process left behind in
 * `stateDir` is stopped first.
 *
 * @throws Error naming the part that did not start; the others are stopped again
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
    // Test files know no secrets: there each user's password is its name.
    redis: () => startRedis(paths, redisDatabases + isolated, isolated > 0 ? (user) => user : undefined),
  };
  const stop = async ({ remove = false } = {}): Promise<void> => {
    await Promise.all([...parts.values()].map((part) => part.stop()));
    if (!remove) return;
    rmSync(stateDir, { recursive: true, force: true });
    if (outside !== undefined) rmSync(outside, { recursive: true, force: true });
  };

  const wanted = only ?? (Object.keys(starters) as BackingName[]);
  const results = await Promise.allSettled(
    wanted.map(async (name) => {
      const given = env[overrides[name]];
      if (given !== undefined && given !== '') {
        urls.set(name, given);
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
