/**
 * The list of one's documents with 1,000 and with 1,000,000 documents in the database: first page, next page, filter,
 * sort, search and counts, over HTTP at a fixed arrival rate (design §4: p95 < 50 ms, within 2× of 1,000).
 */
import { createDb } from '@karaar/platform/db-kit';
import type { Database } from '@karaar/service-documents/db/schema';
import { startApi } from '@karaar/service-documents/test/api';
import { fixedRate } from '../lib/fixed-rate.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { seedDocuments } from './seed.ts';

const SMALL = 1_000;
const LARGE = size('BENCH_DOCUMENTS', 1_000_000, 2_000);
const RATE = size('BENCH_RATE', 20, 50);
const ROUND_MS = size('BENCH_ROUND_MS', 8_000, 200);

const api = await startApi('bench-lists', { DATABASE_POOL: '10' });
const owner = createDb<Database>({ url: api.world.ownerUrl, max: 1, applicationName: 'bench-lists' });
try {
  const reader = await api.world.addUser('Asha Rao');
  const heavy = await api.world.addUser('Vikram Shah');
  const base = '/documents/my-documents';
  const page = (user: typeof reader, query: string) => api.call(user, 'GET', `${base}/page?limit=20${query}`);
  const cursorOf = async (user: typeof reader, sort: string) =>
    encodeURIComponent(String((await page(user, `&sort=${sort}`)).body['next_cursor']));

  /** p95 of each kind of call, in milliseconds. */
  async function measure(user: typeof reader): Promise<Record<string, number>> {
    const [newest, byName] = [await cursorOf(user, 'newest'), await cursorOf(user, 'name')];
    const calls: Record<string, () => Promise<{ status: number }>> = {
      'first page': () => page(user, ''),
      'next page': () => page(user, `&cursor=${newest}`),
      'by status': () => page(user, '&status=approved'),
      'by name': () => page(user, `&sort=name&cursor=${byName}`),
      'by last change': () => page(user, '&sort=changed'),
      search: () => page(user, '&search=plot%20417'),
      counts: () => api.call(user, 'GET', `${base}/counts`),
    };
    const figures: Record<string, number> = {};
    for (const [what, call] of Object.entries(calls)) {
      const task = async () => {
        const { status } = await call();
        if (status !== 200) throw new Error(`${what} answered ${status}`);
      };
      const paced = await fixedRate({
        rate: RATE,
        durationMs: ROUND_MS,
        warmUpMs: isSmoke ? 0 : 1_500,
        task,
      });
      if (paced.failed + paced.dropped > 0) throw new Error(`${what}: ${paced.faults.join('; ')}`);
      figures[what] = paced.latency.p95;
      console.log(`${what}: p95 ${paced.latency.p95.toFixed(1)} ms`);
    }
    return figures;
  }

  console.log(`${SMALL} documents`);
  await seedDocuments(owner, { from: 0, to: SMALL, reader: reader.userId, heavy: heavy.userId });
  const small = await measure(reader);
  console.log(`${LARGE} documents`);
  await seedDocuments(owner, { from: SMALL, to: LARGE, reader: reader.userId, heavy: heavy.userId });
  const large = await measure(reader);
  console.log('a user with a tenth of them');
  const most = await measure(heavy);

  const rows = Object.keys(small).flatMap((what): Row[] => [
    {
      what: `${what}, ${LARGE.toLocaleString('en-IN')} documents: p95`,
      value: large[what] ?? Number.NaN,
      unit: 'ms',
      budget: { atMost: 50 },
      note: `${(small[what] ?? 0).toFixed(1)} ms with ${SMALL}`,
    },
    {
      what: `${what}: ÷ with ${SMALL}`,
      value: (large[what] ?? Number.NaN) / (small[what] ?? Number.NaN),
      unit: '×',
      budget: { atMost: 2 },
    },
    {
      what: `${what}, a user with ${(LARGE / 10).toLocaleString('en-IN')} of them: p95`,
      value: most[what] ?? Number.NaN,
      unit: 'ms',
      budget: { atMost: 50 },
    },
  ]);
  process.exitCode = report({ name: 'lists', rows, data: { small, large, most, rate: RATE } });
} finally {
  await owner.destroy();
  await api.stop();
}
