/** The processor time of the calls on which docs/capacity.md rests, in each process, with all callers busy. */
import { availableParallelism } from 'node:os';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { costRows, readCosts } from '../lib/costs.ts';
import { unlimited } from '../lib/product.ts';
import type { Measured, Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { mixFor } from './mix.ts';
import { send } from './sender.ts';

const MS = 1_000 * size('BENCH_SECONDS', 30, 1);

export const measureCosts = (): Promise<Measured> =>
  withProduct(unlimited, async (product) => {
    const { kinds } = await mixFor(product);
    const rows: Row[] = [];
    for (const kind of kinds.filter(({ name }) => ['documents', 'document', 'photo'].includes(name))) {
      const task = async () => {
        const { status } = await send(product.url, kind);
        if (status >= 300) throw new Error(`${kind.name} answered ${status}`);
      };
      const busy = (durationMs: number) =>
        closedLoop({ concurrency: 2 * availableParallelism(), durationMs, task });
      await busy(MS / 5);
      const before = await readCosts(product);
      const { completed } = await busy(MS);
      rows.push(...costRows(before, await readCosts(product), { count: completed, of: kind.name }));
    }
    return { rows };
  });
