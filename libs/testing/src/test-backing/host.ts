/**
 * Process that keeps the shared test services running while a test process is connected (see
 * test-backing.ts). Its argument is their kind.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { takeLock } from '../machine/lock.mjs';
import { startBacking } from '../backing/backing.ts';
import { hostPlaces, type HostCard, type TestBacking, type TestBackingKind } from './test-backing.ts';

const idleMs = 15_000;
const isolated = 256;

const kind = process.argv[2] as TestBackingKind;
const places = hostPlaces(kind);
const { stateDir } = places;
const lock = takeLock(places.lock);
if (!lock.taken) process.exit(0); // another host serves, starts, or is about to stop

const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
rmSync(places.card, { force: true });
const users = new Set<Socket>();
let stopping = false;
const starting = start();
// Register early: containers do not end with the process that started them.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);
const backing = await starting;
const token = randomBytes(16).toString('hex');
let idle = setTimeout(stop, idleMs);

const server = createServer((socket) => {
  users.add(socket);
  clearTimeout(idle);
  socket.on('error', () => undefined); // a killed client; 'close' follows
  socket.on('close', () => {
    users.delete(socket);
    if (users.size === 0) idle = setTimeout(stop, idleMs);
  });
  socket.write(`${token}\n`);
});
if (!stopping) server.listen(0, '127.0.0.1', writeCard);

async function start(): Promise<TestBacking> {
  // Loaded for containers only: Testcontainers is large.
  if (kind === 'containers')
    return (await import('./containers.ts')).startContainers({ isolated, owner: stateDir, log });
  const backing = await startBacking({ stateDir, log, durable: false, isolated, env: {} });
  const { postgresUrl, natsUrl, redisUrl } = backing;
  return { postgresUrl, natsUrl, redisUrl, stop: () => backing.stop({ remove: true }) };
}

function writeCard(): void {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was assigned');
  const { postgresUrl, natsUrl, redisUrl } = backing;
  const card: HostCard = { postgresUrl, natsUrl, redisUrl, isolated, port: address.port, token };
  mkdirSync(dirname(places.card), { recursive: true });
  writeFileSync(`${places.card}.new`, JSON.stringify(card), { mode: 0o600 });
  renameSync(`${places.card}.new`, places.card);
  log(`serving on port ${address.port}`);
}

/** Also during the start, which it then waits for. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  for (const user of users) user.destroy();
  rmSync(places.card, { force: true });
  log('stopping');
  starting
    .then((started) => started.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
}
