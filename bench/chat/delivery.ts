/** The time from sending a message until it reaches the receiver's socket, among thousands of sockets. */
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '@karaar/service-messaging/test/process';
import { procFile } from '@karaar/testing/processes/proc';
import { Pool } from 'undici';
import { fixedRate } from '../lib/fixed-rate.ts';
import { mainThreadMs } from '../lib/process.ts';
import { none, row, type Measured, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import type { Chatter } from './people.ts';
import type { Order, SocketEvent } from './sockets.ts';

const RATE = size('BENCH_RATE', 1_000, 50);
const ROUND_MS = size('BENCH_ROUND_MS', 20_000, 1_000);
/** Processes that hold the sockets of one service. */
const HOLDERS = 2;
/** The time after which a missing message counts as failed. */
const LOST_MS = 10_000;

/** Opens the sockets of users at a service, in child processes that are added to `holders`. */
async function openSockets(
  url: string,
  people: readonly Chatter[],
  holders: ChildProcess[],
  onEvent: (event: SocketEvent) => void,
): Promise<void> {
  const share = Math.ceil(people.length / HOLDERS);
  const opened = Array.from({ length: HOLDERS }, (_, at) => {
    const child = fork(new URL('./sockets.ts', import.meta.url), { execArgv: [] });
    holders.push(child);
    const tokens = people.slice(at * share, (at + 1) * share).map(({ token }) => token);
    child.send({ url, tokens } satisfies Order);
    return new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`sockets ended with ${code}`)));
      child.on('message', (event: SocketEvent) => (event.kind === 'open' ? resolve() : onEvent(event)));
    });
  });
  await Promise.all(opened);
}

/** The resident memory of a process in kilobytes. */
const residentKb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(procFile(`${pid}/status`))?.[1]);

let runs = 0;

/** Neighbours write to each other. With several services they are at different ones, so that each message crosses. */
export async function measureDelivery(
  services: readonly ServiceProcess[],
  people: readonly Chatter[],
): Promise<Measured> {
  const holders: ChildProcess[] = [];
  const waiting = new Map<string, () => void>();
  let closed = 0;
  const onEvent = (event: SocketEvent) => {
    if (event.kind === 'got') waiting.get(event.content)?.();
    else closed += 1;
  };
  const pools = services.map(({ url }) => new Pool(url, { connections: 64 }));
  const memory = () => services.reduce((sum, { pid }) => sum + residentKb(pid), 0);
  runs += 1;
  const run = `run ${runs}`;
  /** Sends one message and waits until the receiver's socket has it. */
  const task = async (index: number) => {
    // Spread over all users, so that no conversation is used twice at a time.
    const at = (index * 7_919) % people.length;
    const [from, to] = [people[at], people[(at + 1) % people.length]];
    const pool = pools[index % pools.length];
    if (!from || !to || !pool) throw new Error('A message needs two users and a service');
    const content = `${run}, message ${index}`;
    const arrived = new Promise<void>((resolve, reject) => {
      const lost = setTimeout(() => reject(new Error('not delivered')), LOST_MS);
      waiting.set(content, () => (clearTimeout(lost), resolve()));
    });
    // A rejection during the request below would otherwise end the run.
    arrived.catch(() => undefined);
    try {
      const client_message_id = `${run} ${index}`.padEnd(12, '.');
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/messaging/send',
        headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ receiver_id: to.userId, content, client_message_id }),
      });
      await body.dump();
      if (statusCode !== 201) throw new Error(`answered ${statusCode}`);
      await arrived;
    } finally {
      waiting.get(content)?.();
      waiting.delete(content);
    }
  };
  try {
    const before = memory();
    for (const [at, { url }] of services.entries()) {
      const own = people.filter((_, nth) => nth % services.length === at);
      await openSockets(url, own, holders, onEvent);
    }
    await sleep(3_000);
    const idle = (memory() - before) / people.length;
    // Every user writes once before the measurement, because conversations are created once and last for years.
    const warmUpMs = (people.length / RATE) * 1_000 + 2_000;
    const used = () => services.map(({ pid }) => mainThreadMs(pid));
    const usedBefore = used();
    const result = await fixedRate({ rate: RATE, durationMs: ROUND_MS, warmUpMs, task });
    const sentByEach = (RATE * (warmUpMs + ROUND_MS)) / 1_000 / services.length;
    const cpu = used().map((ms, at) => (ms - (usedBefore[at] ?? 0)) / sentByEach);
    const { latency, offered, failed, dropped, faults } = result;
    const where = services.length === 1 ? 'one process' : `${services.length} processes`;
    const rows: Row[] = [
      row(`${where}: delivered, p99`, latency.p99, 'ms', {
        atMost: 150,
        note: `p50 ${latency.p50.toFixed(1)} ms, ${offered} messages at ${RATE}/s`,
      }),
      none(`${where}: not delivered or not sent`, failed + dropped, faults.join('; ')),
      row(`${where}: processor time per message`, Math.max(...cpu), 'ms', {
        atMost: 0.3,
        note: 'of the main thread; a core is busy with 1,000 of them a second at 1 ms',
      }),
      none(`${where}: sockets that were closed`, closed),
    ];
    if (services.length === 1)
      rows.unshift(
        row(`an idle socket, of ${people.length} on one process`, idle, 'KB', {
          note: 'resident memory of the service; connection, rooms, session and token',
        }),
      );
    return { rows, data: { ...result, cpu } };
  } finally {
    for (const child of holders) {
      child.removeAllListeners();
      child.kill('SIGKILL');
    }
    await Promise.all(pools.map((pool) => pool.close()));
  }
}
