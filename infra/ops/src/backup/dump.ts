/** Dumps databases into files: one COPY output per table, compressed and encrypted. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PARTITIONS_SQL, partitionOf, type PartitionRow } from '@karaar/db/partitions';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ServiceDatabase } from '../databases.ts';
import { clientOf, whileFrozen } from './freeze.ts';
import { BackupError, sha256Of, type Database, type Table } from './manifest.ts';
import type { Seal } from './sealing.ts';

type Target = { folder: string; seal: Seal };

/**
 * The order of the snapshots: a caller before its callee, so that its callee's snapshot has at least what it
 * has recorded.
 */
const ORDER = ['documents', 'payments', 'wallet', 'auth'];
export const inOrder = (databases: readonly ServiceDatabase[]): ServiceDatabase[] => {
  const rank = ({ service }: ServiceDatabase): number => [...ORDER, service].indexOf(service);
  return databases.toSorted((a, b) => rank(a) - rank(b));
};

/**
 * Dumps all databases as of one moment, in which no event and no transfer was committed. A payment can be between
 * two of its steps then; its sweeper goes on after a restore.
 */
export async function dumpAll(
  given: readonly ServiceDatabase[],
  { folder, seal }: Target,
): Promise<Database[]> {
  const open = inOrder(given).map((database) => ({ ...database, client: clientOf('ops-backup', database) }));
  try {
    await Promise.all(open.map(({ client }) => client.connect()));
    await whileFrozen(given, async () => {
      for (const { client } of open)
        await client.query(
          'begin isolation level repeatable read read only; set local statement_timeout = 0; select 1',
        );
    });
    const dumped: Database[] = [];
    for (const { client, service } of open) dumped.push(await dump(client, service, { folder, seal }));
    return dumped;
  } finally {
    await Promise.allSettled(open.map(({ client }) => client.end()));
  }
}

async function dump(client: pg.Client, service: string, target: Target): Promise<Database> {
  await mkdir(join(target.folder, service), { recursive: true, mode: 0o700 });
  const tables: Table[] = [];
  for (const name of await tableNames(client)) tables.push(await dumpTable(client, service, name, target));
  const { rows: sequences } = await client.query<{ name: string; last: string }>(`
    select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`);
  return { service, migrations: await migrationNames(client), tables, sequences };
}

async function migrationNames(client: pg.Client): Promise<string[]> {
  const { rows: there } = await client.query(`select to_regclass('kysely_migration') as it`);
  if ((there[0] as { it: string | null }).it === null) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Returns the tables, each after those that it references. A partitioned table counts as one. */
async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; parents: string[] }>(`
    select t.relname as name,
      coalesce(array_agg(p.relname::text) filter (where p.oid <> t.oid), '{}') as parents
    from pg_class t
    left join pg_constraint c on c.conrelid = t.oid and c.contype = 'f' and c.conparentid = 0
    left join pg_class p on p.oid = c.confrelid
    where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = current_schema()::regnamespace
    group by t.oid, t.relname order by t.relname`);
  // The migrator writes its own tables during a restore.
  const waiting = rows.filter(({ name }) => !name.startsWith('kysely_migration'));
  const sorted: string[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parents }) => parents.every((parent) => sorted.includes(parent)));
    const [table] = next < 0 ? [] : waiting.splice(next, 1);
    if (!table)
      throw new BackupError(
        `Tables refer to each other in a circle: ${waiting.map((one) => one.name).join()}`,
      );
    sorted.push(table.name);
  }
  return sorted;
}

async function dumpTable(
  client: pg.Client,
  service: string,
  name: string,
  { folder, seal }: Target,
): Promise<Table> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [client.escapeIdentifier(name)],
  );
  const columns = rows.map(({ column }) => column);
  const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const file = join(service, `${name}.copy.gz.age`);
  // COPY cannot read a partitioned table by its name.
  const copy = client.query(
    copyTo(`copy (select ${listed} from ${client.escapeIdentifier(name)}) to stdout`),
  );
  const output = createWriteStream(join(folder, file), { mode: 0o600 });
  await pipeline(copy, createGzip({ level: 4 }), seal, output);
  return {
    name,
    columns,
    rows: copy.rowCount,
    file,
    sha256: await sha256Of(join(folder, file)),
    ...(await partitionsOf(client, name)),
  };
}

async function partitionsOf(client: pg.Client, table: string): Promise<Pick<Table, 'partitions'>> {
  const { rows } = await client.query<PartitionRow>(PARTITIONS_SQL, [client.escapeIdentifier(table)]);
  const partitions = rows
    .map(partitionOf)
    .map(({ name, from, to }) => ({ name, from: from.toISOString(), to: to.toISOString() }));
  return partitions.length === 0 ? {} : { partitions };
}
