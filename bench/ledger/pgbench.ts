import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REVENUE_ACCOUNT } from '@karaar/service-wallet/db/migrations/ledger.sql';
import { ensureTool } from '../lib/install.ts';

const run = promisify(execFile);

export const USERS = 1_000;
/** Revenue accounts of the comparison with a ledger in which transfers do not share one. */
export const SPREAD_ACCOUNTS = 1_000;
/** Both sides make the same ids: here, and in SQL below. @param number from 1 on */
export const userId = (number: number): string =>
  `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
export const spreadAccountId = (number: number): string =>
  `00000000-0000-7000-a000-${String(number).padStart(12, '0')}`;

/** The statement of the wallet's repository for a debit, with parameters made by pgbench. @param to SQL of the account */
const scriptTo = (to: string) => `\\set user random(1, ${USERS})
\\set spread random(1, ${SPREAD_ACCOUNTS})
SELECT * FROM ledger_transfer(
  uuidv7()::text, ('00000000-0000-7000-9000-' || lpad(:user::text, 12, '0'))::uuid, 'debit',
  ${to}, 1::bigint, 'Bench', 'bench');
`;
/** Where the money goes: all of it to the one account of the product, or to many accounts. */
const SCRIPTS = {
  hot: scriptTo(`'${REVENUE_ACCOUNT}'::uuid`),
  spread: scriptTo(`('00000000-0000-7000-a000-' || lpad(:spread::text, 12, '0'))::uuid`),
};

export type Pgbench = {
  version: string;
  /** @returns transactions per second, without the time to connect */
  run(options: { clients: number; seconds: number; to?: keyof typeof SCRIPTS }): Promise<number>;
  remove(): void;
};

/**
 * Finds pgbench (installing Debian's package when it can) and writes the script it runs.
 * @throws Error that says what to install
 */
export function preparePgbench(url: string): Pgbench {
  const program = ensureTool({
    command: 'pgbench',
    debian: ['postgresql-contrib'],
    alsoIn: ['/usr/lib/postgresql/*/bin'],
  });
  const dir = mkdtempSync(join(tmpdir(), 'karaar-pgbench-'));
  const fileOf = (to: keyof typeof SCRIPTS) => join(dir, `${to}.sql`);
  for (const to of ['hot', 'spread'] as const) writeFileSync(fileOf(to), SCRIPTS[to]);
  return {
    version: execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(),
    run: async ({ clients, seconds, to = 'hot' }) => {
      const args = ['-n', '-M', 'extended', '-j', '1', '-f', fileOf(to)];
      args.push('-c', String(clients), '-T', String(seconds));
      const { stdout } = await run(program, args, { env: { ...process.env, ...libpqEnv(url) } });
      return throughputOf(stdout);
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** By environment: a command line, and with it the password, is for everybody on the machine to see. */
function libpqEnv(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
}

/** Reads pgbench's own summary. @throws Error when transactions failed or there is no figure */
export function throughputOf(output: string): number {
  const failed = /number of failed transactions: (\d+)/.exec(output)?.[1] ?? '0';
  if (failed !== '0') throw new Error(`pgbench reports ${failed} failed transactions`);
  const tps = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench gave no figure:\n${output}`);
  return Number(tps);
}
