/** The product with and without slow uploads (idle, or one byte per second) from one address and of one user. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import { Pool } from 'undici';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { newcomers } from '../lib/people.ts';
import { row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { mixOf } from './mix.ts';
import { numbered, type MixRequest } from './sender.ts';
import { startAll } from './slow-sender.ts';

const SECONDS = size('BENCH_SECONDS', 40, 2);
const RATE = size('BENCH_RATE', 40, 20);
const STRANGERS = size('BENCH_STRANGERS', 2_000, 50);
const SIGNED_IN = size('BENCH_SIGNED_IN', 200, 10);
const PEOPLE = 5;
/** The addresses of all other users. */
const ADDRESSES = Array.from({ length: 40 }, (_, at) => `127.0.0.${3 + at}`);
const PATIENCE_MS = 10_000;
/** The time until all are open and the first of them are refused. */
const SETTLE_MS = isSmoke ? 1_000 : 5_000;

/** Returns a function that sends the next request of users from many addresses. @throws Error when it fails */
async function othersOf(pools: readonly Pool[], people: readonly Person[]) {
  const requests = (await mixOf(people, [])).map((kind) => kind.requests).filter(({ length }) => length > 0);
  let sent = 0;
  return async (): Promise<void> => {
    const ofKind = requests[sent % requests.length] ?? [];
    const { body, ...request } = ofKind[Math.floor(sent / requests.length) % ofKind.length] as MixRequest;
    const pool = pools[sent % pools.length] as Pool;
    sent += 1;
    const answer = await pool.request({ ...request, body: numbered(body, sent) });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`${request.path} answered ${answer.statusCode}`);
  };
}

/** The limits of production are part of the measurement. */
export const measureSlowClients = (): Promise<Measured> =>
  withProduct({ web: false, env: { LOG_LEVEL: 'warn' } }, measure);

async function measure(product: Product): Promise<Measured> {
  const [greedy, ...people] = await newcomers(product.url, 1 + PEOPLE);
  const pools = ADDRESSES.map(
    (localAddress) => new Pool(product.url, { localAddress, connections: 6, headersTimeout: PATIENCE_MS }),
  );
  const task = await othersOf(pools, people);
  const slow = new AbortController();
  try {
    const run = (durationMs: number, warmUpMs: number) =>
      fixedRate({ rate: RATE, durationMs, warmUpMs, maxInFlight: 2_000, task });
    const quiet = await run(SECONDS * 1_000, isSmoke ? 500 : 5_000);
    const port = Number(new URL(product.url).port);
    const attack = { port, token: greedy?.token ?? '', strangers: STRANGERS, signedIn: SIGNED_IN };
    const after = startAll({ ...attack, signal: slow.signal });
    await sleep(SETTLE_MS);
    const before = structuredClone(after);
    const slowly = await run(SECONDS * 1_000, 0);
    const answered = (what: string, { completed, offered, dropped, failed, faults }: FixedRateResult) =>
      row(`${what}: answered`, (100 * completed) / offered, '%', {
        atLeast: 100,
        note: [`dropped ${dropped}, failed ${failed}`, ...faults].join('; '),
      });
    const p99 = (what: string, { latency }: FixedRateResult) =>
      row(`${what}: p99`, latency.p99, 'ms', { note: `p50 ${latency.p50.toFixed(1)} ms` });
    const rows = [
      answered('quiet', quiet),
      p99(`quiet, ${RATE}/s of a mix with uploads`, quiet),
      row('slow uploads that are open', after.open, '', {
        note: `${before.open} at the start; ${after.opened} attempts, answered ${JSON.stringify(after.answers)}`,
      }),
      answered('with slow clients', slowly),
      p99('with slow clients', slowly),
      row('p99 with slow clients ÷ quiet', slowly.latency.p99 / quiet.latency.p99, '×', { atMost: 2 }),
    ];
    return { rows, data: { quiet, slowly, before, after } };
  } finally {
    slow.abort();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}
