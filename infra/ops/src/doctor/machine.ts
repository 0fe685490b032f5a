/** The clock, the disks and the backups. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Env } from '@karaar/bus/commands';
import { databaseOf, withDatabase } from '../databases.ts';
import { fault, ok, tried, warning, type Check, type Finding } from './finding.ts';

const HOUR_MS = 3_600_000;
/** The nightly backup and two hours for it. */
const BACKUP_HOURS = 26;
const GB = 1024 ** 3;
const LEAST_FREE = 2 * GB;
const FEW_FREE_PARTS = 0.15;
/** Time-based codes allow 30 seconds; tokens less. */
const MOST_SKEW_S = 10;
const SYNC = 'Switch on time synchronisation of the machine (`timedatectl set-ntp true`).';

const skewFinding = (what: string, seconds: number): Finding =>
  Math.abs(seconds) > MOST_SKEW_S
    ? fault('clock', `differs from ${what} by ${Math.round(seconds)} seconds`, SYNC)
    : ok('clock', `agrees with ${what}`);

/** Compares with the date that a web server states; whole seconds. */
async function againstWeb(env: Env): Promise<Finding> {
  const url = env['RAZORPAY_API_URL'] ?? 'https://api.razorpay.com';
  const { headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(8_000) });
  const { host } = new URL(url);
  const stated = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(stated)) return warning('clock', `${host} states no time`, SYNC);
  return skewFinding(host, (Date.now() - stated) / 1000);
}

async function againstDatabase(env: Env): Promise<Finding> {
  const { rows } = await withDatabase(databaseOf(env, 'auth'), (db) =>
    sql<{ now: Date }>`select clock_timestamp() as now`.execute(db),
  );
  return skewFinding('PostgreSQL', (Date.now() - (rows[0]?.now.getTime() ?? 0)) / 1000);
}

async function disk(folder: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const text = `${folder} has ${((bavail * bsize) / GB).toFixed(1)} GB free of ${((blocks * bsize) / GB).toFixed(1)}`;
  const remedy = 'Make the disk larger, or move old backups away (BACKUPS_KEPT).';
  if (bavail * bsize < LEAST_FREE) return fault('disk', text, remedy);
  return bavail / blocks < FEW_FREE_PARTS ? warning('disk', text, remedy) : ok('disk', text);
}

async function backups(folder: string): Promise<Finding> {
  const remedy = 'Read the log of `backup`; BACKUP_RECIPIENTS must be set (docs/self-hosting.md).';
  const newest = (await readdir(folder))
    .filter((name) => /^2.*Z$/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) return fault('backup', `${folder} has none`, remedy);
  const hours = Math.floor((Date.now() - (await stat(join(folder, newest))).mtimeMs) / HOUR_MS);
  const text = `the newest, ${newest}, is ${hours} hours old`;
  return hours < BACKUP_HOURS ? ok('backup', text) : fault('backup', text, remedy);
}

/** Checks the clock, and the folders of files and backups where they are on this machine. */
export const checkMachine: Check = async (env) => {
  const folder = env['BACKUPS_DIR'];
  const disks = [env['BLOB_DIR'], folder].filter((one) => one !== undefined);
  const findings = await Promise.all([
    tried('clock', 'Allow outgoing HTTPS, by which the time is compared.', () => againstWeb(env)),
    tried('clock', 'Start PostgreSQL, by which the time is compared.', () => againstDatabase(env)),
    ...disks.map((one) => tried('disk', `Mount ${one}.`, () => disk(one))),
    folder ? tried('backup', `Mount ${folder}.`, () => backups(folder)) : [],
  ]);
  return findings.flat();
};
