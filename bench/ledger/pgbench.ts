import { execFile, execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { REVENUE_ACCOUNT } from '@karaar/service-wallet/db/migrations/ledger.sql';
import { installDebian } from '@karaar/testing/machine/programs';
import { findProgram } from '@karaar/testing/machine/run';
import { stateRoot } from '@karaar/testing/roots';
import { scratch } from '@karaar/testing/scratch';

const run = promisify(execFile);

export const USERS = 1_000;
/** The number of revenue accounts in the comparison in which transfers do not share one. */
export const SPREAD_ACCOUNTS = 1_000;
/** The ids are the same as in the SQL below. @param number from 1 */
export const userId = (number: number): string =>
  `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
export const spreadAccountId = (number: number): string =>
  `00000000-0000-7000-a000-${String(number).padStart(12, '0')}`;

/** The SQL statement of a debit in the wallet's repository, with parameters from pgbench. @param to SQL of the account */
const scriptTo = (to: string) => `\\set user random(1, ${USERS})
\\set spread random(1, ${SPREAD_ACCOUNTS})
SELECT * FROM ledger_transfer(
  uuidv7()::text, ('00000000-0000-7000-9000-' || lpad(:user::text, 12, '0'))::uuid, 'debit',
  ${to}, 1::bigint, 'Bench', 'bench');
`;
/** Transfers to the product's one revenue account, or to many accounts. */
const SCRIPTS = {
  hot: scriptTo(`'${REVENUE_ACCOUNT}'::uuid`),
  spread: scriptTo(`('00000000-0000-7000-a000-' || lpad(:spread::text, 12, '0'))::uuid`),
};

export type Pgbench = {
  version: string;
  /** Returns transactions per second, without the time to connect. */
  run(clients: number, seconds: number, to?: keyof typeof SCRIPTS): Promise<number>;
  remove(): void;
};

/** Finds or installs pgbench and writes its scripts. @throws Error that names the package to install */
export async function preparePgbench(url: string): Promise<Pgbench> {
  const path = () => [process.env['PATH'] ?? '', ...globSync('/usr/lib/postgresql/*/bin')].join(delimiter);
  const isThere = findProgram(['pgbench'], path()) !== undefined;
  if (!isThere && process.getuid?.() === 0)
    await installDebian(['postgresql-contrib'], join(stateRoot, 'logs', 'apt.log'));
  const program = findProgram(['pgbench'], path());
  if (program === undefined) throw new Error('pgbench is missing; Debian has it in postgresql-contrib');
  const { dir, remove } = scratch();
  const fileOf = (to: keyof typeof SCRIPTS) => join(dir, `${to}.sql`);
  for (const to of ['hot', 'spread'] as const) writeFileSync(fileOf(to), SCRIPTS[to]);
  return {
    version: execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(),
    run: async (clients, seconds, to = 'hot') => {
      const args = ['-n', '-M', 'extended', '-j', '1', '-f', fileOf(to)];
      args.push('-c', String(clients), '-T', String(seconds), url);
      return throughputOf((await run(program, args)).stdout);
    },
    remove,
  };
}

/** Reads the throughput in pgbench's summary. @throws Error when transactions failed or it is missing */
export function throughputOf(output: string): number {
  const failed = /number of failed transactions: (\d+)/.exec(output)?.[1] ?? '0';
  if (failed !== '0') throw new Error(`pgbench reports ${failed} failed transactions`);
  const tps = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench gave no figure:\n${output}`);
  return Number(tps);
}
