import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startChild, stopOrphan } from '../processes/child.ts';
import { commandLine } from '../machine/liveness.mjs';
import type { BackingPaths } from './paths.ts';
import { runPart, type Part } from '../processes/part.ts';
import { PRIVATE_LOG } from './postgres-log.ts';
import { postgresEnv, postgresHome, runProgram, type PostgresHome } from './postgres-home.ts';

const major = '18';

/** A running PostgreSQL, and the folder to remove with the state directory. */
export interface PostgresPart extends Part {
  readonly outside: string | undefined;
}

/**
 * Starts PostgreSQL 18 from npm's binaries; creates the cluster on first use.
 *
 * @param durable false switches fsync off: faster, for data that may be lost in a power cut
 */
export async function startPostgres(paths: BackingPaths, durable: boolean): Promise<PostgresPart> {
  const password = paths.secret('postgres-password');
  const recordFile = paths.record('postgres');
  await stopOrphan(recordFile);
  const home = await postgresHome(paths);
  const cluster = join(home.home, 'data');
  await makeCluster(home, cluster, password);
  const url = (port: number) => `postgresql://karaar:${password}@127.0.0.1:${port}/postgres`;

  const part = await runPart({
    name: 'postgres',
    logFile: paths.log('postgres'),
    url,
    // The sessions of a killed postmaster end by themselves once they notice that it is gone.
    tooEarly: /pre-existing shared memory block .* is still in use/,
    launch: (port) => {
      dropStaleLock(cluster);
      const settings = {
        port,
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        max_connections: 200,
        shared_buffers: '128MB',
        fsync: durable ? 'on' : 'off',
        synchronous_commit: durable ? 'on' : 'off',
        full_page_writes: durable ? 'on' : 'off',
        ...PRIVATE_LOG,
      };
      return startChild({
        name: 'postgres',
        command: join(home.bin, 'postgres'),
        args: [
          '-D',
          cluster,
          ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        ],
        cwd: cluster,
        env: postgresEnv(),
        logFile: paths.log('postgres'),
        recordFile,
        // SIGINT is a "fast shutdown"; SIGTERM would wait for every client to disconnect.
        stopSignal: 'SIGINT',
        ...(home.runAs === undefined ? {} : { uid: home.runAs.uid, gid: home.runAs.gid }),
      });
    },
    probe: async (port) => {
      const client = new pg.Client({ connectionString: url(port), connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined); // the next probe handles a connection lost between connect and end
      await client.connect();
      await client.end();
    },
  });
  return Object.assign(part, { outside: home.outside });
}

async function makeCluster(home: PostgresHome, cluster: string, password: string): Promise<void> {
  const versionFile = join(cluster, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const version = readFileSync(versionFile, 'utf8').trim();
    if (version !== major)
      throw new Error(`${cluster} holds data of PostgreSQL ${version}, this is ${major}: move it away`);
    return;
  }
  // Created under a draft name and renamed when complete, so that a killed start leaves no half-made cluster.
  const draft = `${cluster}.new`;
  const passwordFile = join(home.home, 'password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(home.home, { recursive: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (home.runAs !== undefined) chownSync(passwordFile, home.runAs.uid, home.runAs.gid);
  try {
    await runProgram(home, 'initdb', [
      `--pgdata=${draft}`,
      '--username=karaar',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-instructions',
    ]);
  } finally {
    rmSync(passwordFile);
  }
  renameSync(draft, cluster);
}

/**
 * Removes the lock file of a postmaster that is gone. PostgreSQL does so itself unless the process id now
 * belongs to another process of the same user, which is common in containers. The lock of a running
 * postmaster of this cluster stays: PostgreSQL then refuses to start, with a message.
 */
function dropStaleLock(cluster: string): void {
  const lock = join(cluster, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  if (commandLine(pid)?.includes(`-D ${cluster}`) !== true) rmSync(lock);
}
