/** Sends a mix of requests at a fixed rate, in a process that can have its own core. */
import { URGENCIES, type Urgency } from '@karaar/contracts/urgency';
import { Agent, request } from 'undici';
import { fixedRate } from '../lib/fixed-rate.ts';
import { latencyOf } from '../lib/stats.ts';
import { numbered, type Counts, type Kind, type Order, type RunResult } from './protocol.ts';

const MAX_IN_FLIGHT = 4_000;
const LATE_MS = 10_000;

const dispatcher = new Agent({ headersTimeout: LATE_MS, bodyTimeout: LATE_MS });
let url = '';
let kinds: Kind[] = [];
let counter = 0;
const turns = new Map<Kind, number>();

function anyKind(): Kind {
  let left = Math.random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const found = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0];
  if (found === undefined) throw new Error('The mix has not been sent yet');
  return found;
}

async function send(kind: Kind): Promise<{ status: number; hasRetryAfter: boolean }> {
  const turn = turns.get(kind) ?? 0;
  turns.set(kind, turn + 1);
  counter += 1;
  const next = kind.requests[turn % kind.requests.length];
  if (next === undefined) throw new Error(`The mix has no request of the kind ${kind.name}`);
  const { path, body, ...rest } = next;
  const answer = await request(`${url}${path}`, { ...rest, body: numbered(body, counter), dispatcher });
  await answer.body.dump();
  return { status: answer.statusCode, hasRetryAfter: answer.headers['retry-after'] !== undefined };
}

const noCounts = (): Counts => ({ offered: 0, answered: 0, refused: 0 });

async function run(rate: number, durationMs: number): Promise<RunResult> {
  const total = noCounts();
  const byUrgency = Object.fromEntries(URGENCIES.map((one) => [one, noCounts()])) as Record<Urgency, Counts>;
  const faults: Record<string, number> = {};
  const [answeredMs, refusedMs, lateMs]: [number[], number[], number[]] = [[], [], []];
  let refusedWithoutTime = 0;
  const task = async (index: number, due: number): Promise<void> => {
    lateMs.push(performance.now() - due);
    // A run begins with one request of each kind, so that a smoke run has all of them.
    const kind = kinds[index] ?? anyKind();
    const count = (what: keyof Counts) => {
      total[what] += 1;
      byUrgency[kind.urgency][what] += 1;
    };
    count('offered');
    try {
      const { status, hasRetryAfter } = await send(kind);
      const ms = performance.now() - due;
      if (status >= 200 && status < 300) {
        count('answered');
        answeredMs.push(ms);
      } else if (status === 429 || status === 503) {
        count('refused');
        refusedMs.push(ms);
        if (!hasRetryAfter) refusedWithoutTime += 1;
      } else throw new Error(`status ${status}`);
    } catch (error) {
      const fault = `${kind.name}: ${String(error)}`;
      faults[fault] = (faults[fault] ?? 0) + 1;
    }
  };
  const { dropped } = await fixedRate({ rate, durationMs, maxInFlight: MAX_IN_FLIGHT, task });
  return {
    ...total,
    ...{ refusedWithoutTime, dropped, seconds: durationMs / 1_000, byUrgency, faults },
    ...{ answeredIn: latencyOf(answeredMs), refusedIn: latencyOf(refusedMs), late: latencyOf(lateMs) },
    failed: Object.values(faults).reduce((sum, n) => sum + n, 0),
  };
}

process.on('message', (order: Order) => {
  if (order.kind === 'mix') ({ url, kinds } = order);
  // An error ends this process, and the benchmark with it.
  else void run(order.rate, order.durationMs).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
