/**
 * Sends a mix of requests at a fixed mean rate (Poisson arrivals) in a process of its own, so that it can have a core of
 * its own. It does not wait for answers, so a slow answer does not slow it down.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { URGENCIES, type Urgency } from '@karaar/contracts/urgency';
import { Connection } from '../lib/connection.ts';
import { COUNTER, type Counts, type Kind, type Order, type RunResult } from './protocol.ts';

const MAX_UNDER_WAY = 4_000;
const LAST_ANSWERS_MS = 10_000;

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
  return Buffer.from(text.replace(COUNTER, String(counter).padStart(12, '1')), 'latin1');
}

function freeConnection(): Connection {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) if (one.isOpen) return one;
  return new Connection(port);
}

const none = (): Counts => ({ offered: 0, answered: 0, refused: 0 });

async function run(rate: number, durationMs: number): Promise<RunResult> {
  const result: RunResult = {
    ...none(),
    ...{ refusedWithoutTime: 0, failed: 0, dropped: 0, seconds: durationMs / 1_000, faults: {} },
    ...{ answeredMs: [], refusedMs: [], lateMs: [], senderCpu: 0 },
    byUrgency: Object.fromEntries(URGENCIES.map((urgency) => [urgency, none()])) as Record<Urgency, Counts>,
  };
  const count = (kind: Kind, what: keyof Counts) => {
    result[what] += 1;
    result.byUrgency[kind.urgency][what] += 1;
  };
  const fault = (what: string) => {
    result.failed += 1;
    result.faults[what] = (result.faults[what] ?? 0) + 1;
  };
  const arrive = (due: number) => {
    const kind = anyKind();
    count(kind, 'offered');
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
      if (answer === null) fault(`${kind.name}: the connection broke`);
      else if (answer.status >= 200 && answer.status < 300) {
        count(kind, 'answered');
        result.answeredMs.push(ms);
      } else if (answer.status === 429 || answer.status === 503) {
        count(kind, 'refused');
        result.refusedMs.push(ms);
        if (!answer.hasRetryAfter) result.refusedWithoutTime += 1;
      } else fault(`${kind.name}: ${answer.status}`);
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
  for (const end = performance.now() + LAST_ANSWERS_MS; underWay > 0 && performance.now() < end;)
    await sleep(20);
  for (; underWay > 0; underWay -= 1) fault('no answer');
  for (const list of [result.answeredMs, result.refusedMs, result.lateMs]) list.sort((a, b) => a - b);
  return result;
}

process.on('message', (order: Order) => {
  if (order.kind === 'mix') ({ port, kinds } = order);
  // A failure ends this process, and the benchmark with it.
  else void run(order.rate, order.durationMs).then((result) => process.send?.(result));
});
// The benchmark has ended.
process.on('disconnect', () => process.exit());
process.send?.('ready');
