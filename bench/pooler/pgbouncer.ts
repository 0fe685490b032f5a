import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@karaar/testing/processes/ports';
import { ensureTool } from '../lib/install.ts';

export type Mode = 'session' | 'transaction';
export type Pooler = { url: string; stop: () => Promise<void> };

/** What the services ask for at the start of a connection, and PgBouncer does not know. */
const STARTUP = 'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout';
const LISTEN_MS = 10_000;

/**
 * Debian's PgBouncer before a database.
 *
 * @param connections that it opens to the server at most
 * @param startup whether it passes over the parameters that it does not know, or refuses them
 */
export async function startPooler(
  databaseUrl: string,
  mode: Mode,
  connections: number,
  startup: 'passed over' | 'refused' = 'passed over',
): Promise<Pooler> {
  const program = ensureTool({ command: 'pgbouncer', debian: 'pgbouncer', alsoIn: ['/usr/sbin'] });
  const folder = mkdtempSync(join(tmpdir(), 'karaar-pooler-'));
  const port = await freePort();
  const { hostname, port: own, username, password, pathname } = new URL(databaseUrl);
  const target = `host=${hostname} port=${own} user=${username} password=${password} dbname=${pathname.slice(1)}`;
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    ...['[databases]', `* = ${target}`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...[
      `pool_mode = ${mode}`,
      `default_pool_size = ${connections}`,
      'max_client_conn = 500',
      'query_wait_timeout = 5',
    ],
    ...(startup === 'passed over' ? [`ignore_startup_parameters = ${STARTUP}`] : []),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, ['-q', ...account, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await listening(port);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.toString(),
    async stop() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function listening(port: number): Promise<void> {
  for (const end = Date.now() + LISTEN_MS; Date.now() < end; await sleep(50)) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
  }
  throw new Error('PgBouncer did not listen within 10 s');
}
