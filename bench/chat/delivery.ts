/** From sending a message to its being on the receiver's socket, among thousands of sockets. */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '@karaar/service-messaging/test/process';
import { Pool } from 'undici';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { cpuMs } from '../lib/process.ts';
import type { Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import type { Chatter } from './people.ts';
import type { Order, Told } from './sockets.ts';

const RATE = size('BENCH_RATE', 1_000, 50);
const ROUND_MS = size('BENCH_ROUND_MS', 20_000, 1_000);
/** Processes that hold the sockets. */
const HOLDERS = 2;
/** Milliseconds after which a message that has not come counts as failed. */
const LOST_MS = 10_000;

const holders: ChildProcess[] = [];
const waiting = new Map<string, () => void>();
let closed = 0;

/** Kilobytes that a process has in memory. */
function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Opens these people's sockets at a process. */
async function openSockets(url: string, people: readonly Chatter[]): Promise<void> {
  const share = Math.ceil(people.length / HOLDERS);
  await Promise.all(
    Array.from({ length: HOLDERS }, async (_, at) => {
      const child = fork(new URL('./sockets.ts', import.meta.url), { execArgv: [] });
      holders.push(child);
      const tokens = people.slice(at * share, (at + 1) * share).map(({ token }) => token);
      const opened = new Promise<void>((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`sockets ended with ${code}`)));
        child.on('message', (told: Told) => {
          if (told.kind === 'open') resolve();
          else if (told.kind === 'got') waiting.get(told.content)?.();
          else closed += 1;
        });
      });
      child.send({ url, tokens, atOnce: 50 } satisfies Order);
      await opened;
    }),
  );
}

function closeHolders(): void {
  closed = 0;
  for (const child of holders.splice(0)) {
    child.removeAllListeners();
    child.kill('SIGKILL');
  }
}

let run = 0;
/** Each arrival is one message between neighbours; it is done when the receiver's socket has it. */
async function deliver(
  services: readonly ServiceProcess[],
  people: readonly Chatter[],
): Promise<FixedRateResult & { cpu: number[] }> {
  const pools = services.map(({ url }) => new Pool(url, { connections: 64 }));
  run += 1;
  const name = `run ${run}`;
  const task = async (index: number) => {
    // Spread over everybody, so that no conversation waits for itself.
    const at = (index * 7_919) % people.length;
    const [from, to] = [people[at], people[(at + 1) % people.length]];
    const pool = pools[index % pools.length];
    if (!from || !to || !pool) throw new Error('nobody writes');
    const content = `${name}, message ${index}`;
    const arrived = new Promise<void>((resolve, reject) => {
      const lost = setTimeout(() => reject(new Error('not delivered')), LOST_MS);
      waiting.set(content, () => (clearTimeout(lost), resolve()));
    });
    // It may come to nothing while the request is still under way: that is one failed message, not the end of the run.
    arrived.catch(() => undefined);
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/messaging/send',
        headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          receiver_id: to.userId,
          content,
          client_message_id: `${name} ${index}`.padEnd(12, '.'),
        }),
      });
      await body.dump();
      if (statusCode !== 201) throw new Error(`answered ${statusCode}`);
      await arrived;
    } finally {
      waiting.get(content)?.();
      waiting.delete(content);
    }
  };
  // Everybody has written once before it counts: conversations are begun once and go on for years.
  const warmUpMs = (people.length / RATE) * 1_000 + 2_000;
  const used = () => services.map(({ pid }) => cpuMs(pid));
  const before = used();
  const result = await fixedRate({ rate: RATE, durationMs: ROUND_MS, warmUpMs, task });
  const sent = (RATE * (warmUpMs + ROUND_MS)) / 1_000;
  const cpu = used().map((ms, at) => (ms - (before[at] ?? 0)) / (sent / services.length));
  await Promise.all(pools.map((pool) => pool.close()));
  return { ...result, cpu };
}

const rowsOf = (
  where: string,
  { latency, offered, failed, dropped, faults, cpu }: FixedRateResult & { cpu: number[] },
): Row[] => [
  {
    what: `${where}: delivered, p99`,
    value: latency.p99,
    unit: 'ms',
    budget: { atMost: 150 },
    note: `p50 ${latency.p50.toFixed(1)} ms, ${offered} messages at ${RATE}/s`,
  },
  {
    what: `${where}: not delivered or not sent`,
    value: failed + dropped,
    unit: 'messages',
    budget: { atMost: 0 },
    note: faults.join('; '),
  },
  {
    what: `${where}: processor time per message`,
    value: Math.max(...cpu),
    unit: 'ms',
    budget: { atMost: 0.3 },
    note: 'of the main thread; a core is busy with 1,000 of them a second at 1 ms',
  },
  { what: `${where}: sockets that were closed`, value: closed, unit: '', budget: { atMost: 0 } },
];

/** Everybody at one process: what an idle socket costs, then delivery. */
export async function measureDelivery(
  service: ServiceProcess,
  people: readonly Chatter[],
): Promise<{ rows: Row[]; data: unknown }> {
  try {
    const before = residentKb(service.pid);
    await openSockets(service.url, people);
    await sleep(3_000);
    const idle: Row = {
      what: `an idle socket, of ${people.length} on one process`,
      value: (residentKb(service.pid) - before) / people.length,
      unit: 'KB',
      note: 'resident memory of the service; connection, rooms, session and token',
    };
    console.log('one process');
    const data = await deliver([service], people);
    return { rows: [idle, ...rowsOf('one process', data)], data };
  } finally {
    closeHolders();
  }
}

/** Neighbours at different processes: each message crosses. */
export async function measureTwo(
  services: readonly [ServiceProcess, ServiceProcess],
  people: readonly Chatter[],
): Promise<{ rows: Row[]; data: unknown }> {
  try {
    for (const [at, { url }] of services.entries())
      await openSockets(
        url,
        people.filter((_, nth) => nth % 2 === at),
      );
    await sleep(2_000);
    console.log(`two processes with ${Math.ceil(people.length / 2)} sockets each`);
    const data = await deliver(services, people);
    return { rows: rowsOf('two processes', data), data };
  } finally {
    closeHolders();
  }
}
