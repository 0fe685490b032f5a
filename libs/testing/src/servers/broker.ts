import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killHard } from '../processes/launcher.ts';
import { freePort } from '../processes/ports.ts';

/** A nats-server for one test, which may break it. It keeps its port and its disk. */
export interface TestBroker {
  url: string;
  port: number;
  /** @param options.jetstream false starts it without streams @param options.password of the only user, `user` */
  start(options?: { jetstream?: boolean; password?: string }): Promise<void>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** Empties its disk. Only while it is stopped. */
  wipe(): void;
  /** Saves a copy of its disk for `restore`. Only while it is stopped. */
  save(): void;
  /** Restores the saved copy, as after a crash that lost the latest writes. Only while it is stopped. */
  restore(): void;
  /** Kills it and removes its files. */
  remove(): Promise<void>;
}

/** Starts a nats-server (from PATH) with JetStream on a free loopback port. */
export async function startBroker(): Promise<TestBroker> {
  const home = mkdtempSync(join(tmpdir(), 'karaar-broker-'));
  const store = join(home, 'store');
  const saved = join(home, 'saved');
  const config = join(home, 'nats.conf');
  const port = await freePort();
  let child: ChildProcess | undefined;
  const onExit = () => child?.kill('SIGKILL');
  process.once('exit', onExit);

  const broker: TestBroker = {
    url: `nats://127.0.0.1:${port}`,
    port,
    start: async ({ jetstream = true, password } = {}) => {
      const lines = [
        `listen: "127.0.0.1:${port}"`,
        jetstream ? `jetstream: { store_dir: "${store}" }` : '',
        password === undefined ? '' : `authorization: { user: "user", password: "${password}" }`,
      ];
      writeFileSync(config, lines.join('\n'));
      child = spawn('nats-server', ['-c', config], { stdio: 'ignore' });
      await answering(port, child);
    },
    kill: async () => {
      const gone = child;
      child = undefined;
      if (gone) await killHard(gone);
    },
    freeze: async () => {
      child?.kill('SIGSTOP');
      // A thread stops only when it is scheduled, which on a busy machine can be after its next answer.
      const status = `/proc/${child?.pid}/status`;
      while (existsSync(status) && !/^State:\s+T/m.test(readFileSync(status, 'utf8'))) await sleep(5);
    },
    thaw: () => void child?.kill('SIGCONT'),
    wipe: () => rmSync(store, { recursive: true, force: true }),
    save: () => {
      rmSync(saved, { recursive: true, force: true });
      cpSync(store, saved, { recursive: true });
    },
    restore: () => {
      broker.wipe();
      cpSync(saved, store, { recursive: true });
    },
    remove: async () => {
      await broker.kill();
      process.off('exit', onExit);
      rmSync(home, { recursive: true, force: true });
    },
  };
  await broker.start();
  return broker;
}

/** Waits for the server's greeting. */
async function answering(port: number, child: ChildProcess): Promise<void> {
  let failed: unknown;
  child.once('error', (error) => (failed = error));
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (failed !== undefined || child.exitCode !== null) {
      throw new Error('nats-server did not start', { cause: failed });
    }
    const greeted = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString().startsWith('INFO'));
      });
      socket.once('error', () => resolve(false));
    });
    if (greeted) return;
    await sleep(100);
  }
  throw new Error('nats-server did not answer');
}
