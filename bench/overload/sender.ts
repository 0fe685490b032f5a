/**
 * Sends a mix of requests at a fixed mean rate (Poisson arrivals) in a process of its own, so that it can have a core of
 * its own. It does not wait for answers, so a slow answer does not slow it down.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { URGENCIES, type Urgency } from '@karaar/contracts/urgency';
import { percentile } from '../lib/stats.ts';
import { Connection } from './connection.ts';
import { COUNTER, type Counts, type Kind, type Order, type RunResult } from './protocol.ts';

const MAX_UNDER_WAY = 4_000;
const LAST_WORDS_MS = 10_000;

let port = 0;
let kinds: Kind[] = [];
const idle: Connection[] = [];
let underWay = 0;
let counter = 0;
const turns = new Map<Kind, number>();

/** Repeatable numbers between 0 and 1. */
let state = 20_261_121;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state + 0.5) / 2 ** 32;
}

function anyKind(): Kind {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const found = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0];
  if (found === undefined) throw new Error('There is no mix to send');
  return found;
}

function bytesOf(kind: Kind): Buffer {
  const turn = turns.get(kind) ?? 0;
  turns.set(kind, turn + 1);
  counter += 1;
  const text = kind.texts[turn % kind.texts.length] ?? '';
  return Buffer.from(
    text.includes(COUNTER) ? text.replace(COUNTER, String(counter).padStart(12, '1')) : text,
    'latin1',
  );
}

function freeConnection(): Connection {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) if (one.isOpen) return one;
  return new Connection(port, () => undefined);
}

async function run(rate: number, durationMs: number): Promise<RunResult> {
  const none = (): Counts => ({ offered: 0, answered: 0, refused: 0 });
  const byUrgency = Object.fromEntries(URGENCIES.map((urgency) => [urgency, none()])) as Record<
    Urgency,
    Counts
  >;
  const result: RunResult = {
    offered: 0,
    answered: 0,
    refused: 0,
    refusedWithoutTime: 0,
    failed: 0,
    dropped: 0,
    seconds: durationMs / 1_000,
    answeredMs: [],
    refusedMs: [],
    byUrgency,
    p99ByKind: {},
    faults: {},
    lateMs: [],
    senderCpu: 0,
  };
  const msByKind = new Map<string, number[]>();
  const msOf = ({ name }: Kind) => {
    const list = msByKind.get(name) ?? [];
    msByKind.set(name, list);
    return list;
  };
  const fault = (what: string) => {
    result.failed += 1;
    result.faults[what] = (result.faults[what] ?? 0) + 1;
  };
  const arrive = (due: number) => {
    const kind = anyKind();
    const counts = byUrgency[kind.urgency];
    result.offered += 1;
    counts.offered += 1;
    if (underWay >= MAX_UNDER_WAY) {
      result.dropped += 1;
      return;
    }
    result.lateMs.push(performance.now() - due);
    underWay += 1;
    const connection = freeConnection();
    connection.send(bytesOf(kind), (answer) => {
      underWay -= 1;
      if (connection.isOpen) idle.push(connection);
      const ms = performance.now() - due;
      if (answer !== null && answer.status >= 200 && answer.status < 300) {
        result.answered += 1;
        counts.answered += 1;
        result.answeredMs.push(ms);
        msOf(kind).push(ms);
      } else if (answer !== null && (answer.status === 429 || answer.status === 503)) {
        result.refused += 1;
        counts.refused += 1;
        result.refusedMs.push(ms);
        if (!answer.hasRetryAfter) result.refusedWithoutTime += 1;
      } else fault(`${kind.name}: ${answer === null ? 'the connection broke' : answer.status}`);
    });
  };

  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let due = began; due < began + durationMs;) {
    const now = performance.now();
    for (; due <= now && due < began + durationMs; due -= (Math.log(random()) * 1_000) / rate) arrive(due);
    await sleep(1);
  }
  const used = process.cpuUsage(cpu);
  result.senderCpu = (used.user + used.system) / 1_000 / (performance.now() - began);
  for (const end = performance.now() + LAST_WORDS_MS; underWay > 0 && performance.now() < end;)
    await sleep(20);
  for (; underWay > 0; underWay -= 1) fault('no answer');
  result.p99ByKind = Object.fromEntries(
    [...msByKind].map(([name, list]) => [
      name,
      percentile(
        list.sort((a, b) => a - b),
        99,
      ),
    ]),
  );
  for (const list of [result.answeredMs, result.refusedMs, result.lateMs]) list.sort((a, b) => a - b);
  return result;
}

process.on('message', (order: Order) => {
  if (order.kind === 'mix') ({ port, kinds } = order);
  // A failure ends this process, and the benchmark with it.
  else void run(order.rate, order.durationMs).then((result) => process.send?.(result));
});
// The benchmark is gone, in whatever way.
process.on('disconnect', () => process.exit());
process.send?.('ready');
