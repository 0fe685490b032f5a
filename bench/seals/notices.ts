/** Agreements are made, approved and sealed at a fixed rate, through the whole product. */
import { availableParallelism } from 'node:os';
import type { Product } from '@karaar/dev/product';
import { accept, approve, eventually, invite, sealing } from '@karaar/e2e/src/journey.ts';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import { createAgreement } from '../lib/agreements.ts';
import { costRows, readCosts } from '../lib/costs.ts';
import { fixedRate } from '../lib/fixed-rate.ts';
import { newcomers } from '../lib/people.ts';
import { unlimited } from '../lib/product.ts';
import { none, row, type Measured } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';

const PEOPLE = size('BENCH_PEOPLE', 4 * availableParallelism(), 2);
const PER_MINUTE = size('BENCH_PER_MINUTE', 6 * availableParallelism(), 60);
const MS = 1_000 * size('BENCH_SECONDS', 180, 1);

export const measureNotices = (): Promise<Measured> => withProduct(unlimited, measure);

async function measure(product: Product): Promise<Measured> {
  const people = await newcomers(product.url, PEOPLE);
  const noticedMs: number[] = [];
  const sealedMs: number[] = [];
  const agree = async (arrival: number): Promise<void> => {
    const [owner, guest] = people.slice((2 * arrival) % PEOPLE) as [Person, Person];
    const id = await createAgreement(owner, 'Rent agreement');
    await invite(owner, guest, id);
    await accept(guest, id);
    const approved = performance.now();
    await approve(owner, id);
    const pressed = performance.now();
    await eventually('sealing an agreement', await sealing(owner, id));
    sealedMs.push(performance.now() - pressed);
    await eventually('the notice of the seal', () => isNoticed(guest, id));
    noticedMs.push(performance.now() - approved);
  };
  await agree(0);
  noticedMs.length = sealedMs.length = 0;
  const before = await readCosts(product);
  const { failed, faults } = await fixedRate({ rate: PER_MINUTE / 60, durationMs: MS, task: agree });
  const costs = costRows(before, await readCosts(product), { count: sealedMs.length, of: 'agreement' });
  const noticed = latencyOf(noticedMs);
  const note = `p50 ${noticed.p50.toFixed(0)}, max ${noticed.max.toFixed(0)} ms of ${noticedMs.length}, ${PER_MINUTE} a minute`;
  return {
    rows: [
      row('last approval until the notice of the seal: p99', noticed.p99, 'ms', { atMost: 60_000, note }),
      row('Finalize until sealed: p95', latencyOf(sealedMs).p95, 'ms'),
      none('agreements that failed', failed, faults.join('; ')),
      ...costs,
    ],
    data: { noticedMs, sealedMs },
  };
}

async function isNoticed(user: Person, documentId: string): Promise<boolean> {
  const { body } = await user.call('GET', '/notifications', undefined, [200]);
  const notices = body['notifications'] as { kind: string; document_id: string }[];
  return notices.some(({ kind, document_id: about }) => kind === 'sealed' && about === documentId);
}
