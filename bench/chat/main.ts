/**
 * Chat under load (design §4): messages sent over HTTP at a fixed arrival rate, until the receiver's socket has them, with
 * thousands of sockets on one process and on two; what an idle socket costs; how a long conversation opens.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startProcess, type ServiceProcess } from '@karaar/service-messaging/test/process';
import { startServiceWorld } from '@karaar/testing/service-world';
import { Pool } from 'undici';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { inTurns } from '../lib/peers.ts';
import { report, type Row } from '../lib/report.ts';
import { median } from '../lib/stats.ts';
import { fillConversation, makePeople, type Chatter } from './people.ts';
import type { Order, Told } from './sockets.ts';

const SOCKETS = Number(process.env['BENCH_SOCKETS'] ?? 5_000);
const RATE = Number(process.env['BENCH_RATE'] ?? 1_000);
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 20_000);
const LONG = Number(process.env['BENCH_MESSAGES'] ?? 100_000);
const SHORT = 100;
/** Processes that hold the sockets. */
const HOLDERS = 2;
/** Milliseconds after which a message that has not come counts as failed. */
const LOST_MS = 10_000;

const world = await startServiceWorld('bench-chat');
const services: ServiceProcess[] = [];
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
  for (const child of holders.splice(0)) {
    child.removeAllListeners();
    child.kill('SIGKILL');
  }
}

let run = 0;
/** Each arrival is one message between neighbours; it is done when the receiver's socket has it. */
async function deliver(people: readonly Chatter[]): Promise<FixedRateResult> {
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
  const result = await fixedRate({ rate: RATE, durationMs: ROUND_MS, warmUpMs: 4_000, task });
  await Promise.all(pools.map((pool) => pool.close()));
  return result;
}

const rowsOf = (where: string, { latency, offered, failed, dropped, faults }: FixedRateResult): Row[] => [
  {
    what: `${where}: delivered, p99`,
    value: latency.p99,
    unit: 'ms',
    budget: { atMost: 100 },
    note: `p50 ${latency.p50.toFixed(1)} ms, ${offered} messages at ${RATE}/s`,
  },
  {
    what: `${where}: not delivered or not sent`,
    value: failed + dropped,
    unit: 'messages',
    budget: { atMost: 0 },
    note: faults.join('; '),
  },
];

/** One message, so that there is a conversation. */
async function begin(url: string, [from, to]: readonly [Chatter, Chatter]): Promise<void> {
  const answer = await fetch(`${url}/messaging/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ receiver_id: to.userId, content: 'The first one' }),
  });
  if (answer.status !== 201) throw new Error(`answered ${answer.status}`);
}

/** Milliseconds until the newest page of a conversation is there. */
async function openings(url: string, reader: Chatter, other: Chatter): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    const answer = await fetch(`${url}/messaging/conversations/${other.userId}?limit=50&peek=true`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    await answer.json();
    if (i >= 10) times.push(performance.now() - start);
  }
  return median(times);
}

try {
  const rows: Row[] = [];
  const start = async () => services.push(await startProcess(world.env, await freePort()));
  await start();
  const [one] = services;
  if (!one) throw new Error('no process');
  console.log(`${SOCKETS} people`);
  const people = await makePeople(world, SOCKETS);

  const before = residentKb(one.pid);
  await openSockets(one.url, people);
  await sleep(3_000);
  rows.push({
    what: `an idle socket, of ${SOCKETS} on one process`,
    value: (residentKb(one.pid) - before) / SOCKETS,
    unit: 'KB',
    note: 'resident memory of the service; connection, rooms, session and token',
  });
  console.log('one process');
  const single = await deliver(people);
  rows.push(...rowsOf('one process', single));
  rows.push({
    what: 'one process: sockets that were closed',
    value: closed,
    unit: '',
    budget: { atMost: 0 },
  });
  closeHolders();

  console.log('two processes');
  await start();
  await sleep(2_000);
  const half = Math.ceil(people.length / 2);
  // Neighbours are at different processes: each message crosses.
  const [even, odd] = [people.filter((_, at) => at % 2 === 0), people.filter((_, at) => at % 2 === 1)];
  await openSockets(services[0]?.url ?? '', even);
  await openSockets(services[1]?.url ?? '', odd);
  console.log(`${half} sockets at each`);
  const double = await deliver(people);
  rows.push(...rowsOf('two processes', double));
  closeHolders();

  console.log(`a conversation of ${LONG} messages`);
  const [asha, vikram, meera] = people;
  if (!asha || !vikram || !meera) throw new Error('too few people');
  for (const [pair, count] of [
    [[asha, vikram], LONG],
    [[vikram, meera], SHORT],
  ] as const) {
    await begin(one.url, pair);
    await fillConversation(world, pair, count);
  }
  const samples = await inTurns(
    [
      { name: 'long', measure: () => openings(one.url, vikram, asha) },
      { name: 'short', measure: () => openings(one.url, vikram, meera) },
    ],
    4,
    console.log,
  );
  const [long, short] = [median(samples.get('long') ?? []), median(samples.get('short') ?? [])];
  rows.push({
    what: `opening ${LONG.toLocaleString('en-IN')} messages ÷ opening ${SHORT}`,
    value: long / short,
    unit: '×',
    budget: { atMost: 1.5 },
    note: `${long.toFixed(1)} and ${short.toFixed(1)} ms`,
  });
  process.exitCode = report({ name: 'chat', rows, data: { single, double, long, short } });
} finally {
  closeHolders();
  for (const service of services) await service.stop('SIGTERM');
  await world.stop();
}
