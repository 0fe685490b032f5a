import type { Env } from '@karaar/bus/commands';
import { ConfigError } from '@karaar/base/config';
import { createDb, type Db, type AppendOnlyTables, type Migrations } from '@karaar/db';
import * as auth from '@karaar/service-auth/ops';
import * as cms from '@karaar/service-cms/ops';
import * as documents from '@karaar/service-documents/ops';
import * as messaging from '@karaar/service-messaging/ops';
import * as notifications from '@karaar/service-notifications/ops';
import * as payments from '@karaar/service-payments/ops';
import * as wallet from '@karaar/service-wallet/ops';

type Tables = {
  migrations: Migrations;
  /** Tables whose rows the service's own role cannot change. */
  appendOnlyTables: AppendOnlyTables;
};
const services = { auth, cms, documents, messaging, notifications, payments, wallet };
export type Service = keyof typeof services;
export const tables: Readonly<Record<Service, Tables>> = services;
export const SERVICES = Object.keys(tables) as Service[];

export type ServiceDatabase = Tables & {
  service: Service;
  /** The URL of a role that owns the tables or can become their owner. */
  url: string;
};

/**
 * Returns every service's database: `<SERVICE>_DATABASE_URL`, or `karaar_<service>` of `ADMIN_DATABASE_URL`
 * in the role of that name.
 * @throws ConfigError if a URL is missing
 */
export const databasesOf = (env: Env): ServiceDatabase[] =>
  SERVICES.map((service) => databaseOf(env, service));

/** Returns the database of one service. @throws ConfigError if its URL is missing */
export function databaseOf(env: Env, service: Service): ServiceDatabase {
  const own = `${service.toUpperCase()}_DATABASE_URL`;
  const url = env[own] ?? asOwner(env['ADMIN_DATABASE_URL'], `karaar_${service}`);
  if (url === undefined)
    throw new ConfigError([{ name: 'ADMIN_DATABASE_URL', problem: `is required (or each, as ${own})` }]);
  const { migrations, appendOnlyTables } = tables[service];
  return { service, migrations, appendOnlyTables, url };
}

function asOwner(adminUrl: string | undefined, name: string): string | undefined {
  if (adminUrl === undefined || adminUrl === '') return undefined;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  url.searchParams.set('options', `-c role=${name}`);
  return url.toString();
}

const MINUTES = 60_000;

/** Opens a database during `work`. Statements may take 30 minutes, because some read whole tables. */
export async function withDatabase<DB, T>(
  { service, url }: { service: string; url: string },
  work: (db: Db<DB>) => Promise<T>,
): Promise<T> {
  const applicationName = `ops-${service}`;
  const db = createDb<DB>({ url, max: 2, applicationName, statementTimeoutMs: 30 * MINUTES });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
