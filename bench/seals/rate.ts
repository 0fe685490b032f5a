/** Approved agreements are finalized as fast as the product can. */
import { availableParallelism } from 'node:os';
import { eventually, sealing } from '@karaar/e2e/src/journey.ts';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import pMap from 'p-map';
import { approvedAgreement } from '../lib/agreements.ts';
import { costRows, readCosts } from '../lib/costs.ts';
import { AT_ONCE, newcomers } from '../lib/people.ts';
import { unlimited } from '../lib/product.ts';
import { row, type Measured, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';

/** Of finalizing, without the time in which agreements are prepared. */
const MS = 1_000 * size('BENCH_SECONDS', 600, 1);
const BATCH = size('BENCH_BATCH', 200, 2);
const CALLERS = size('BENCH_CALLERS', 6 * availableParallelism(), 2);
/** A caller looks this often, so that looking costs little. */
const LOOK_MS = 1_000;

export const measureRate = (): Promise<Measured> =>
  withProduct(unlimited, async (product) => {
    const people = await newcomers(product.url, 8);
    await finalized(await approved(people, 2));
    const batches: number[] = [];
    let costs: Row[] = [];
    while (batches.reduce((sum, ms) => sum + ms, 0) < MS) {
      const waiting = await approved(people, BATCH);
      const before = await readCosts(product);
      const begun = performance.now();
      await finalized(waiting);
      batches.push(performance.now() - begun);
      costs = costRows(before, await readCosts(product), { count: BATCH, of: 'finalization' });
    }
    const hours = batches.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    const perCore = (batches.length * BATCH) / hours / availableParallelism();
    const note = `${batches.length * BATCH} on ${availableParallelism()} cores`;
    return {
      rows: [row('finalizations per core', perCore, 'per hour', { atLeast: 2_500, note }), ...costs],
      data: { batches },
    };
  });

type Approved = { owner: Person; id: string };

/** Lets pairs of people approve new agreements. */
const approved = (people: readonly Person[], count: number): Promise<Approved[]> =>
  pMap(
    Array(count).keys(),
    async (index) => {
      const [owner, guest] = people.slice((2 * index) % people.length) as [Person, Person];
      return { owner, id: await approvedAgreement(owner, guest) };
    },
    { concurrency: AT_ONCE },
  );

/** Finalizes agreements with all callers busy. */
async function finalized(waiting: readonly Approved[]): Promise<void> {
  const seal = async ({ owner, id }: Approved) =>
    eventually('sealing an agreement', await sealing(owner, id), { every: LOOK_MS });
  await pMap(waiting, seal, { concurrency: CALLERS });
}
