/**
 * `npm run bench -- slow-clients`: the whole product with 2,000 idle or one-byte-a-second uploads from one address and
 * 200 of one signed-in user, against the same product left alone: everybody else is answered, and as quickly.
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '@karaar/dev/product';
import { fixedRate, type FixedRateResult } from '../lib/fixed-rate.ts';
import { newcomer } from '../lib/newcomers.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { forkOnLastCore, leaveLastCore, where } from '../overload/pinned.ts';
import { startOthers } from './others.ts';
import type { Counts, Order } from './protocol.ts';

const SECONDS = size('BENCH_SECONDS', 40, 2);
const RATE = size('BENCH_RATE', 40, 20);
const STRANGERS = size('BENCH_STRANGERS', 2_000, 50);
const SIGNED_IN = size('BENCH_SIGNED_IN', 200, 10);
const PEOPLE = 5;
/** Until all have opened and the first of them are being refused. */
const SETTLE_MS = isSmoke ? 1_000 : 5_000;

leaveLastCore();
const keepAlive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: await mkdtemp(join(tmpdir(), 'karaar-slow-clients-')),
  quiet: true,
  web: false,
  // The limits are those of production: they are a part of what is measured.
  env: { LOG_LEVEL: 'warn' },
});
const slow = await forkOnLastCore(new URL('./slow.ts', import.meta.url));
const order = (what: Order) => slow.send(what);
const counted = async (): Promise<Counts> => {
  order({ kind: 'count' });
  const [counts] = (await once(slow, 'message')) as [Counts];
  return counts;
};

try {
  const people = [];
  for (let at = 0; at <= PEOPLE; at += 1)
    people.push(await newcomer(product.url, `Person ${at + 1}`, `+9171000000${String(at).padStart(2, '0')}`));
  const [greedy, ...ordinary] = people;
  const others = await startOthers(product.url, ordinary);
  const run = (durationMs: number, warmUpMs: number) =>
    fixedRate({ rate: RATE, durationMs, warmUpMs, maxInFlight: 2_000, task: others.call });

  console.log(`${where}; quiet, ${RATE}/s for ${SECONDS} s`);
  const quiet = await run(SECONDS * 1_000, isSmoke ? 500 : 5_000);
  console.log(`${STRANGERS} slow uploads of strangers, ${SIGNED_IN} of one user`);
  const token = (greedy?.headers['authorization'] ?? '').slice('Bearer '.length);
  order({
    kind: 'attack',
    port: Number(new URL(product.url).port),
    token,
    strangers: STRANGERS,
    signedIn: SIGNED_IN,
  });
  await sleep(SETTLE_MS);
  const before = await counted();
  const slowly = await run(SECONDS * 1_000, 0);
  const after = await counted();
  await others.close();
  process.exitCode = report({
    name: 'slow-clients',
    rows: rowsOf(quiet, slowly, before, after),
    data: { quiet, slowly, before, after },
  });
} finally {
  slow.disconnect();
  await product.stop({ remove: true });
  clearInterval(keepAlive);
}

function rowsOf(quiet: FixedRateResult, slowly: FixedRateResult, before: Counts, after: Counts): Row[] {
  const part = ({ completed, offered }: FixedRateResult) => (100 * completed) / offered;
  const note = ({ dropped, failed, faults }: FixedRateResult) =>
    `dropped ${dropped}, failed ${failed}${faults.length === 0 ? '' : ` (${faults.join('; ')})`}`;
  const p50 = ({ latency }: FixedRateResult) => `p50 ${latency.p50.toFixed(1)} ms`;
  return [
    { what: 'quiet: answered', value: part(quiet), unit: '%', budget: { atLeast: 100 }, note: note(quiet) },
    {
      what: 'quiet: p99',
      value: quiet.latency.p99,
      unit: 'ms',
      note: `${p50(quiet)}; ${RATE}/s of a mix with uploads, ${availableParallelism()} cores, ${where}`,
    },
    {
      what: 'slow uploads that are open',
      value: after.open,
      unit: '',
      note: `${before.open} when measuring began; ${after.opened} were tried, answered ${JSON.stringify(after.answers)}`,
    },
    {
      what: 'beside slow clients: answered',
      value: part(slowly),
      unit: '%',
      budget: { atLeast: 100 },
      note: note(slowly),
    },
    { what: 'beside slow clients: p99', value: slowly.latency.p99, unit: 'ms', note: p50(slowly) },
    {
      what: 'p99 beside slow clients ÷ quiet',
      value: slowly.latency.p99 / quiet.latency.p99,
      unit: '×',
      budget: { atMost: 2 },
    },
  ];
}
