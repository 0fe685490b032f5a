/** Sends a mix of requests at a fixed rate. */
import { URGENCIES, type Urgency } from '@karaar/contracts/urgency';
import { Agent, request } from 'undici';
import { fixedRate } from '../lib/fixed-rate.ts';
import { latencyOf, type Latency } from '../lib/stats.ts';

export type Kind = {
  name: string;
  urgency: Urgency;
  weight: number;
  /** Sent in turn; {@link COUNTER} in a text body is replaced by a number of the same length. */
  requests: MixRequest[];
};
export type MixRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
};
export const COUNTER = '000000000000';
export const numbered = (body: MixRequest['body'], number: number): string | Uint8Array | null =>
  typeof body === 'string' ? body.replace(COUNTER, String(number).padStart(12, '1')) : (body ?? null);

/** Answered: with 2xx. Refused: with 429 or 503. */
export type Counts = { offered: number; answered: number; refused: number };
export type RunResult = Counts & {
  refusedWithoutTime: number;
  failed: number;
  /** Not sent, because too many requests were in progress. */
  dropped: number;
  seconds: number;
  /** Since each was due. */
  answeredIn: Latency;
  refusedIn: Latency;
  /** The delays of the sender. */
  late: Latency;
  byUrgency: Record<Urgency, Counts>;
  faults: Record<string, number>;
};

const MAX_IN_FLIGHT = 4_000;
const LATE_MS = 10_000;

const dispatcher = new Agent({ headersTimeout: LATE_MS, bodyTimeout: LATE_MS });
let counter = 0;
const turns = new Map<Kind, number>();

function anyOf(kinds: readonly Kind[]): Kind {
  let left = Math.random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const found = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0];
  if (found === undefined) throw new Error('The mix is empty');
  return found;
}

export async function send(url: string, kind: Kind): Promise<{ status: number; hasRetryAfter: boolean }> {
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

/** Sends for some time, first one request of each kind. */
export async function sendMix(
  url: string,
  kinds: readonly Kind[],
  rate: number,
  durationMs: number,
): Promise<RunResult> {
  const total = noCounts();
  const byUrgency = Object.fromEntries(URGENCIES.map((one) => [one, noCounts()])) as Record<Urgency, Counts>;
  const faults: Record<string, number> = {};
  const [answeredMs, refusedMs, lateMs]: [number[], number[], number[]] = [[], [], []];
  let refusedWithoutTime = 0;
  const task = async (index: number, due: number): Promise<void> => {
    lateMs.push(performance.now() - due);
    const kind = kinds[index] ?? anyOf(kinds);
    const count = (what: keyof Counts) => {
      total[what] += 1;
      byUrgency[kind.urgency][what] += 1;
    };
    count('offered');
    try {
      const { status, hasRetryAfter } = await send(url, kind);
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
