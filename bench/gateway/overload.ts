/** Rising rates find the peak of the whole product; then twice the peak arrives, and then half of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import { unlimited } from '../lib/product.ts';
import { none, row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { mixFor } from './mix.ts';
import { sendMix, type RunResult } from './sender.ts';

const SECONDS = size('BENCH_SECONDS', 25, 1);
const STEP_MS = size('BENCH_STEP_MS', 4_000, 1_000);
/** The first rate, the factor from step to step, and the share of a rate that must be answered to go on. */
const FIRST_RATE = isSmoke ? 20 : 150;
const STEP = 1.25;
const BEHIND = 0.85;
const MOST_STEPS = isSmoke ? 2 : Infinity;
const AFTER_MS = isSmoke ? 1_000 : 6_000;

const goodput = ({ answered, seconds }: RunResult) => answered / seconds;

export const measureOverload = (): Promise<Measured> => withProduct(unlimited, measure);

async function measure(product: Product): Promise<Measured> {
  const { people, kinds } = await mixFor(product);
  const run = async (rate: number, durationMs: number): Promise<RunResult> => {
    const result = await sendMix(product.url, kinds, rate, durationMs);
    console.log(`${rate.toFixed(0)}/s offered: ${goodput(result).toFixed(0)}/s answered`);
    return result;
  };
  await run(FIRST_RATE, isSmoke ? STEP_MS : 5_000);
  const steps: RunResult[] = [];
  for (let rate = FIRST_RATE, behind = 0; behind < 2 && steps.length < MOST_STEPS; rate *= STEP) {
    const result = await run(rate, STEP_MS);
    steps.push(result);
    if (goodput(result) < rate * BEHIND) behind += 1;
  }
  const peak = Math.max(...steps.map(goodput));
  await sleep(2_000);
  const over = await run(peak * 2, SECONDS * 1_000);
  const after = await run(peak / 2, 2_000);
  const later = await run(peak / 2, AFTER_MS);

  const part = ({ answered, offered }: { answered: number; offered: number }) => (100 * answered) / offered;
  const sum = (pick: (one: RunResult) => number) =>
    [...steps, over, after, later].reduce((all, one) => all + pick(one), 0);
  const { vital, usual, patient } = over.byUrgency;
  const rows = [
    row('peak', peak, 'answers/s', { note: `${people} users` }),
    row('offered at 2×', over.offered / over.seconds, '/s', {
      // A late sender would hide the waiting of users.
      note: `for ${over.seconds} s; the sender was late: p99 ${over.late.p99.toFixed(1)} ms`,
    }),
    row('goodput at 2× ÷ peak', goodput(over) / peak, '×', { atLeast: 0.9 }),
    row('answered: p99', over.answeredIn.p99, 'ms', {
      atMost: 500,
      note: `p50 ${over.answeredIn.p50.toFixed(0)} ms, from when each was due`,
    }),
    // A smoke run offers too little for refusals.
    ...(isSmoke
      ? []
      : [
          row('refused: p99', over.refusedIn.p99, 'ms', {
            atMost: 100,
            note: `p50 ${over.refusedIn.p50.toFixed(1)} ms of ${over.refused}`,
          }),
        ]),
    none(
      'refused without Retry-After',
      sum((one) => one.refusedWithoutTime),
    ),
    none(
      'neither answered nor refused',
      sum((one) => one.failed + one.dropped),
      JSON.stringify(over.faults),
    ),
    row('payments answered', part(vital), '%', {
      atLeast: 99,
      note: `single reads and changes ${part(usual).toFixed(0)} %, lists ${part(patient).toFixed(0)} %`,
    }),
    row('two seconds later, at half the peak: refused', (100 * later.refused) / later.offered, '%', {
      atMost: 0.1,
      note: `p99 ${later.answeredIn.p99.toFixed(0)} ms; in the first two seconds ${after.refused} of ${after.offered}`,
    }),
  ];
  return { rows, data: { steps, over, later } };
}
