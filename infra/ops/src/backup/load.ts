import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { inTransaction, migrateToLatest, type Db, type Migrations } from '@karaar/db';
import { partitionedTables, remakePartitions } from '@karaar/db/partitions';
import { sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withDatabase, type ServiceDatabase } from '../databases.ts';
import { clientOf } from './freeze.ts';
import { BackupError, expectHash, type Database } from './manifest.ts';
import type { Unseal } from './sealing.ts';

/** @throws BackupError if a database is missing or not empty, or a migration is unknown; changes nothing */
export async function expectEmpty(
  databases: readonly ServiceDatabase[],
  backed: readonly Database[],
): Promise<void> {
  for (const { service, migrations } of backed) {
    const target = targetOf(databases, service);
    const unknown = migrations.filter((name) => !(name in target.migrations));
    if (unknown.length > 0)
      throw new BackupError(
        `${service} was backed up by another version: ${unknown.join(', ')} is not known here`,
      );
    const { rows } = await withDatabase(target, (db) =>
      sql`select 1 from pg_class
        where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace limit 1`.execute(db),
    ).catch((cause: unknown) => {
      throw new BackupError(
        `The database of ${service} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    });
    if (rows.length > 0)
      throw new BackupError(`The database of ${service} holds tables already; restore needs an empty one`);
  }
}

const targetOf = (databases: readonly ServiceDatabase[], service: string): ServiceDatabase => {
  const found = databases.find((one) => one.service === service);
  if (!found) throw new BackupError(`${service} is in the backup and has no database here`);
  return found;
};

type Source = { folder: string; unseal: Unseal };

/** Creates the tables of one database and loads them in one transaction. */
export async function load(
  databases: readonly ServiceDatabase[],
  backed: Database,
  { folder, unseal }: Source,
): Promise<void> {
  const target = targetOf(databases, backed.service);
  for (const { file, sha256 } of backed.tables) await expectHash(folder, file, sha256);
  if (backed.migrations.length === 0) return;
  const wanted: Migrations = Object.fromEntries(
    Object.entries(target.migrations).filter(([name]) => backed.migrations.includes(name)),
  );
  const { appendOnlyTables } = target;
  await withDatabase(target, (db) => migrateToLatest(db, wanted, { appendOnlyTables }));
  await withDatabase(target, (db: Db<unknown>) => divide(db, backed));
  const client = clientOf('ops-restore', target);
  await client.connect();
  try {
    await client.query('begin; set local statement_timeout = 0');
    await fill(client, backed, { folder, unseal });
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Replaces the partitions that the migrations made by those of the backup. */
async function divide(db: Db<unknown>, { tables }: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const plan of await partitionedTables(tx)) {
      const { partitions = [] } = tables.find(({ name }) => name === plan.table) ?? {};
      const spans = partitions.map(({ name, from, to }) => ({
        name,
        from: new Date(from),
        to: new Date(to),
      }));
      await remakePartitions(tx, plan, spans);
    }
  });
}

/** Some tables have triggers that refuse changes; partitions have their own. */
const triggers = (verb: 'disable' | 'enable'): string => `
  do $$ declare it regclass; begin
    for it in select oid from pg_class
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
    loop execute format('alter table %s ${verb} trigger user', it); end loop;
  end $$`;

async function fill(
  client: pg.Client,
  { tables, sequences }: Database,
  { folder, unseal }: Source,
): Promise<void> {
  const quoted = tables.map(({ name }) => client.escapeIdentifier(name));
  await client.query(triggers('disable'));
  // Migrations have inserted rows into some tables.
  if (quoted.length > 0) await client.query(`truncate ${quoted.join(', ')}`);
  for (const { name, columns, rows, file } of tables) {
    const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${listed}) from stdin`));
    await pipeline(await unseal(join(folder, file)), createGunzip(), copy);
    if (copy.rowCount !== rows) throw new BackupError(`${file} has ${copy.rowCount} rows and not ${rows}`);
  }
  for (const { name, last } of sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [client.escapeIdentifier(name), last]);
  await client.query(triggers('enable'));
}
