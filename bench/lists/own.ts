import { startApi } from '@karaar/service-documents/test/api';
import { row, type Measured } from '../lib/report.ts';
import { paced, ROWS } from './measure.ts';
import { seedDocuments } from './seed.ts';

const FEW = 1_000;
const ROUND_MS = 8_000;
const BASE = '/documents/my-documents';

export async function measureOwn(): Promise<Measured> {
  const api = await startApi('bench-lists', { DATABASE_POOL: '10' });
  try {
    const [reader, heavy] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
    type User = typeof reader;
    const page = (user: User, query: string) => api.call(user, 'GET', `${BASE}/page?limit=20${query}`);
    const cursor = async (user: User, sort: string) =>
      encodeURIComponent(String((await page(user, `&sort=${sort}`)).body['next_cursor']));
    /** Returns the p95 of each kind of call, in milliseconds. */
    const measure = async (user: User): Promise<Record<string, number>> => {
      const [newest, byName] = [await cursor(user, 'newest'), await cursor(user, 'name')];
      const calls: Record<string, string> = {
        'first page': '/page?limit=20',
        'next page': `/page?limit=20&cursor=${newest}`,
        'by status': '/page?limit=20&status=approved',
        'by name': `/page?limit=20&sort=name&cursor=${byName}`,
        'by last change': '/page?limit=20&sort=changed',
        search: '/page?limit=20&search=plot%20417',
        counts: '/counts',
      };
      const figures: Record<string, number> = {};
      for (const [what, path] of Object.entries(calls))
        figures[what] = await paced(what, ROUND_MS, async () => {
          const { status } = await api.call(user, 'GET', `${BASE}${path}`);
          if (status !== 200) throw new Error(`${what} answered ${status}`);
        });
      return figures;
    };
    const seed = (from: number, to: number) =>
      seedDocuments(api.world.ownerUrl, { from, to, reader: reader.userId, heavy: heavy.userId });
    await seed(0, FEW);
    const few = await measure(reader);
    await seed(FEW, ROWS);
    const many = await measure(reader);
    const most = await measure(heavy);
    const thousands = (n: number) => n.toLocaleString('en-IN');
    const rows = Object.entries(few).flatMap(([what, ms]) => {
      const [all = Number.NaN, ofHeavy = Number.NaN] = [many[what], most[what]];
      const note = `${ms.toFixed(1)} ms with ${FEW}`;
      return [
        row(`${what}, ${thousands(ROWS)} documents: p95`, all, 'ms', { atMost: 50, note }),
        row(`${what}: ÷ with ${FEW}`, all / ms, '×', { atMost: 2 }),
        row(`${what}, a user with ${thousands(ROWS / 10)} of them: p95`, ofHeavy, 'ms', { atMost: 50 }),
      ];
    });
    return { rows, data: { few, many, most } };
  } finally {
    await api.stop();
  }
}
