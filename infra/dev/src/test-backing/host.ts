/** Process that holds the shared test services while somebody is connected. See ../test-backing.ts. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { takeLock } from '../../bootstrap/lock.mjs';
import { startBacking } from '../backing.ts';
import { hostCardFile, hostLockFile, testStateDir, type HostCard } from '../test-backing.ts';

const idleMs = 15_000;
const isolated = 256;

const lock = takeLock(hostLockFile);
if (!lock.taken) process.exit(0); // another host serves, or starts, or is about to stop

const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
rmSync(hostCardFile, { force: true });
const backing = await startBacking({ stateDir: testStateDir, log, durable: false, isolated, env: {} });
const token = randomBytes(16).toString('hex');
const users = new Set<Socket>();
let stopping = false;
let idle = setTimeout(stop, idleMs);

const server = createServer((socket) => {
  users.add(socket);
  clearTimeout(idle);
  socket.on('error', () => undefined); // a user that was killed; 'close' follows
  socket.on('close', () => {
    users.delete(socket);
    if (users.size === 0) idle = setTimeout(stop, idleMs);
  });
  socket.write(`${token}\n`);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was assigned');
  const { postgresUrl, natsUrl, redisUrl } = backing;
  const card: HostCard = { postgresUrl, natsUrl, redisUrl, isolated, port: address.port, token };
  writeFileSync(`${hostCardFile}.new`, JSON.stringify(card), { mode: 0o600 });
  renameSync(`${hostCardFile}.new`, hostCardFile);
  log(`serving on port ${address.port}`);
});
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);

function stop(): void {
  if (stopping) return;
  stopping = true;
  server.close();
  for (const user of users) user.destroy();
  rmSync(hostCardFile, { force: true });
  log('stopping');
  backing.stop({ remove: true }).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
