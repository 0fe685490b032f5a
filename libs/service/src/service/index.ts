/** Opens everything that a service with a database needs, and closes it in the right order. */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { Type, type Static } from 'typebox';
import { createTokenVerifier, type SessionVerifier } from '@karaar/http/auth';
import { busRetentions, connectBus, createOutbox, type Bus, type Outbox } from '@karaar/bus';
import { backingEnv, baseEnv, ConfigError, innerEnv, loadConfig } from '@karaar/base/config';
import {
  awaitMigrations,
  createDb,
  databaseIsCrowded,
  migrateToLatest,
  type Db,
  type AppendOnlyTables,
  type Migrations,
} from '@karaar/db';
import type { CallerSecrets } from '@karaar/http/service-credentials';
import { createHttpApp, listenOnPorts, type HttpApp, type Service } from '@karaar/http';
import { createLogger, type Logger } from '@karaar/observability/logging';
import { keepPartitions } from '@karaar/db/partitions';
import { createRedis, type Redis } from '@karaar/storage/redis';
import { createFileScanner, scanEnv } from '@karaar/http/scan';
import { gaugeOnScrape } from '@karaar/observability/telemetry';
import { sql } from 'kysely';
import { serveDeadLetters } from './dead-letters.ts';

/** The environment of every service; spread into its own config schema. */
export const serviceEnv = {
  ...baseEnv,
  ...innerEnv,
  ...backingEnv,
  ...scanEnv,
  DATABASE_POOL: Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
  /**
   * `apply`: this process migrates at its start, as the owner at `MIGRATION_DATABASE_URL`. `await`: it waits
   * for a job of the deployment.
   */
  DATABASE_MIGRATIONS: Type.Union([Type.Literal('apply'), Type.Literal('await')], { default: 'apply' }),
  /** The database as its owner. A process that waits for a job must not have it. */
  MIGRATION_DATABASE_URL: Type.Optional(backingEnv.DATABASE_URL),
};
export const ServiceConfig = Type.Object(serviceEnv);
export type ServiceConfig = Static<typeof ServiceConfig>;

/** The resources of a service; features get those that they need. */
export type Foundation<DB> = {
  logger: Logger;
  db: Db<DB>;
  redis: Redis;
  bus: Bus;
  outbox: Outbox;
  verifier: SessionVerifier;
};

/**
 * Opens database (migrated), Redis, bus, outbox and token verifier, calls `build` to mount routes, RPC and
 * consumers, then listens and starts the outbox. Closes the resources that `build` returns after the last
 * request.
 */
export async function startService<DB>(
  config: ServiceConfig,
  options: {
    migrations: Migrations;
    appendOnlyTables: AppendOnlyTables;
    /** Secrets of the services that call the internal port (`app.inner`), by the caller's name. */
    callers?: CallerSecrets;
    readiness?: Record<string, () => Promise<void>>;
    build: (foundation: Foundation<DB>, app: HttpApp) => Promise<{ close?: () => Promise<void> }>;
  },
): Promise<Service & { url: string; innerUrl: string; foundation: Foundation<DB> }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const db = createDb<DB>({
    url: config.DATABASE_URL,
    max: config.DATABASE_POOL,
    applicationName: config.SERVICE_NAME,
    onIdleError: (err) => logger.warn({ err }, 'a database connection broke'),
  });
  await migrate(config, options, logger);
  await awaitMigrations(db, options.migrations);
  const redis = createRedis({ url: config.REDIS_URL, name: config.SERVICE_NAME, logger });
  const bus = await connectBus({
    url: config.NATS_URL,
    name: config.SERVICE_NAME,
    logger,
  });
  const outbox = createOutbox(db, bus, { logger });
  const verifier = createTokenVerifier({
    jwksUrl: `${config.AUTH_URL}/.well-known/jwks.json`,
    redis,
    sessionStatus: (request) => bus.request(authRpc.sessionStatus, request),
    logger,
  });
  gaugeOnScrape(
    { name: 'bus_dead_letters', help: 'Events that no handler could apply', label: 'handler' },
    async () => {
      const { rows } = await sql<{ handler: string; count: number }>`
      select handler, count(*)::int as count from dead_letter group by handler`.execute(db);
      return { none: 0, ...Object.fromEntries(rows.map(({ handler, count }) => [handler, count])) };
    },
  );
  const foundation = { logger, db, redis, bus, outbox, verifier };
  const app = await createHttpApp({
    name: config.SERVICE_NAME,
    logger,
    verifier,
    pressure: { isCrowded: databaseIsCrowded },
    scanner: createFileScanner(config, logger),
    callers: options.callers,
    readiness: {
      database: async () => void (await sql`SELECT 1`.execute(db)),
      broker: () => bus.check(),
      ...options.readiness,
    },
  });
  const partitions = keepPartitions(db, { logger, retentions: busRetentions });
  const built = await options.build(foundation, app);
  await serveDeadLetters(bus, db, logger);
  const { url, innerUrl } = await listenOnPorts(app, config);
  outbox.start();
  logger.info({ url, innerUrl }, 'ready');
  const close = async (): Promise<void> => {
    await Promise.all([outbox.stop(), partitions.stop()]);
    await built.close?.();
    await bus.close();
    redis.disconnect();
    await db.destroy();
  };
  let closing: Promise<void> | undefined;
  // Close only once: a second quit of a Redis client delays the process by two seconds.
  return { app, url, innerUrl, foundation, close: () => (closing ??= close()) };
}

export type Tables = { migrations: Migrations; appendOnlyTables: AppendOnlyTables };

/** @throws Error if the owner's address is missing, or is given although a job migrates */
async function migrate(
  { DATABASE_MIGRATIONS, MIGRATION_DATABASE_URL, SERVICE_NAME }: ServiceConfig,
  tables: Tables,
  logger: Logger,
): Promise<void> {
  const applies = DATABASE_MIGRATIONS === 'apply';
  if (!applies && MIGRATION_DATABASE_URL !== undefined)
    throw new ConfigError([
      { name: 'MIGRATION_DATABASE_URL', problem: 'must not be given to a process that awaits migrations' },
    ]);
  if (!applies) return;
  if (MIGRATION_DATABASE_URL === undefined)
    throw new ConfigError([{ name: 'MIGRATION_DATABASE_URL', problem: 'is required to apply migrations' }]);
  await migrateAsOwner({ url: MIGRATION_DATABASE_URL, name: SERVICE_NAME, logger }, tables);
}

const MigrationEnv = Type.Object({
  MIGRATION_DATABASE_URL: backingEnv.DATABASE_URL,
  SERVICE_NAME: baseEnv.SERVICE_NAME,
  LOG_LEVEL: baseEnv.LOG_LEVEL,
});

/** Runs a migration job: applies pending migrations as the owner at `MIGRATION_DATABASE_URL` and ends. */
export async function runMigrations(tables: Tables, env = process.env): Promise<void> {
  const config = loadConfig(MigrationEnv, env);
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  await migrateAsOwner({ url: config.MIGRATION_DATABASE_URL, name: config.SERVICE_NAME, logger }, tables);
}

async function migrateAsOwner(
  { url, name, logger }: { url: string; name: string; logger: Logger },
  { migrations, appendOnlyTables }: Tables,
): Promise<void> {
  const db = createDb({ url, max: 1, applicationName: `${name}-migrate`, silentAfterMs: 0 });
  try {
    const applied = await migrateToLatest(db, migrations, { appendOnlyTables, logger });
    logger.info({ applied }, 'migrated');
  } finally {
    await db.destroy();
  }
}
