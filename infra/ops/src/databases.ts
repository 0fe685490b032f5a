/** The six databases: whose they are, where they are, and the migrations that make their tables. */
import { ConfigError } from '@karaar/platform/config';
import { createDb, type Db, type KeptTables, type Migrations } from '@karaar/platform/db-kit';
import { keptTables as authKeeps } from '@karaar/service-auth/db/kept-tables';
import { keptTables as cmsKeeps } from '@karaar/service-cms/db/kept-tables';
import { keptTables as documentsKeeps } from '@karaar/service-documents/db/kept-tables';
import { keptTables as messagingKeeps } from '@karaar/service-messaging/db/kept-tables';
import { keptTables as notificationsKeeps } from '@karaar/service-notifications/db/kept-tables';
import { keptTables as paymentsKeeps } from '@karaar/service-payments/db/kept-tables';
import { keptTables as walletKeeps } from '@karaar/service-wallet/db/kept-tables';
import { migrations as auth } from '@karaar/service-auth/db/migrations/index';
import { migrations as cms } from '@karaar/service-cms/db/migrations/index';
import { migrations as documents } from '@karaar/service-documents/db/migrations/index';
import { migrations as messaging } from '@karaar/service-messaging/db/migrations/index';
import { migrations as notifications } from '@karaar/service-notifications/db/migrations/index';
import { migrations as payments } from '@karaar/service-payments/db/migrations/index';
import { migrations as wallet } from '@karaar/service-wallet/db/migrations/index';

/** The migrations of every service that has a database. */
export const serviceMigrations: Readonly<Record<string, Migrations>> = {
  auth,
  cms,
  documents,
  messaging,
  notifications,
  payments,
  wallet,
};

/** The tables of each of them whose rows the service's own role may not change. */
export const serviceKeeps: Readonly<Record<string, KeptTables>> = {
  auth: authKeeps,
  cms: cmsKeeps,
  documents: documentsKeeps,
  messaging: messagingKeeps,
  notifications: notificationsKeeps,
  payments: paymentsKeeps,
  wallet: walletKeeps,
};

export type ServiceDatabase = {
  service: string;
  /** Of a role that owns the tables, or may become the one that does. */
  url: string;
  migrations: Migrations;
  keptTables: KeptTables;
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Every service's database: `<SERVICE>_DATABASE_URL` where it is set, else `karaar_<service>` of
 * `ADMIN_DATABASE_URL`, worked on in the role of that name.
 * @throws ConfigError when one is missing
 */
export function databasesOf(env: Env): ServiceDatabase[] {
  return Object.keys(serviceMigrations).map((service) => databaseOf(env, service));
}

/** The database of one service. @throws ConfigError when its address is missing, Error when there is none of this name */
export function databaseOf(env: Env, service: string): ServiceDatabase {
  const migrations = serviceMigrations[service];
  if (!migrations) throw new Error(`${service} has no database`);
  const own = `${service.toUpperCase()}_DATABASE_URL`;
  const url = env[own] ?? asOwner(env['ADMIN_DATABASE_URL'], `karaar_${service}`);
  if (url === undefined)
    throw new ConfigError([{ name: 'ADMIN_DATABASE_URL', problem: `is required (or each, as ${own})` }]);
  return { service, migrations, keptTables: serviceKeeps[service] ?? {}, url };
}

function asOwner(adminUrl: string | undefined, name: string): string | undefined {
  if (adminUrl === undefined || adminUrl === '') return undefined;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  url.searchParams.set('options', `-c role=${name}`);
  return url.toString();
}

const MINUTES = 60_000;

/** Opens one for as long as `work` takes. Statements may take half an hour: some read whole tables. */
export async function withDatabase<DB, T>(
  { service, url }: Pick<ServiceDatabase, 'service' | 'url'>,
  work: (db: Db<DB>) => Promise<T>,
): Promise<T> {
  const db = createDb<DB>({
    url,
    max: 2,
    applicationName: `ops-${service}`,
    statementTimeoutMs: 30 * MINUTES,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
