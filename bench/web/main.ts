/**
 * The front end as a phone gets it: Lighthouse on sign-in and dashboard of a production build behind the real gateway
 * and services, with what was transferred and in which order. Plain HTTP/1.1: browsers speak HTTP/2 over TLS only,
 * which localhost has not; figures behind a TLS proxy can only be better. First a slow phone creates an agreement.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@karaar/dev/product';
import { launchChromium } from '@karaar/testing/servers/chromium';
import { report, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { CATEGORIES, hopsAfterEntry, visit, type Request, type Visit } from './lighthouse.ts';
import { phoneJourney } from './phone.ts';
import { ASHA, signInDemoUser, VIKRAM } from './sign-in.ts';

const RUNS = size('BENCH_RUNS', 5, 1);
/** Tries per visit. */
const ATTEMPTS = 4;
/** KB of script on the wire for the first route. */
const FIRST_ROUTE_KB = 170;
/** Of the window's height times its area: a tenth of it is what search engines call good. */
const LAYOUT_SHIFT = 0.02;

// The product's processes do not keep the one that started them alive.
const alive = setInterval(() => undefined, 60_000);
const state = await mkdtemp(join(tmpdir(), 'karaar-bench-web-'));
const product = await startProduct({ stateDir: state, quiet: true, env: { LOG_LEVEL: 'warn' } });
const rows: Row[] = [];
const data: Record<string, Visit[]> = {};
try {
  const { storage } = await signInDemoUser(product.url, ASHA);
  const { charId } = await signInDemoUser(product.url, VIKRAM);
  rows.push(...(await phoneJourney(product.url, storage, charId)));
  for (const [path, entries] of [
    ['/login', {}],
    ['/dashboard', storage],
  ] as const) {
    const visits = await visitsTo(path, entries);
    data[path] = visits;
    rows.push(...rowsOf(path, visits));
    print(path, visits);
  }
} finally {
  await product.stop({ remove: true });
  clearInterval(alive);
}
process.exitCode = report({ name: 'web', rows, data });

/** Visits one after the other, each in a browser of its own, with these entries in local storage. */
async function visitsTo(path: string, storage: Record<string, string>): Promise<Visit[]> {
  const visits: Visit[] = [];
  while (visits.length < RUNS) visits.push(await visitOnce(path, storage, ATTEMPTS));
  return visits;
}

async function visitOnce(path: string, storage: Record<string, string>, attempts: number): Promise<Visit> {
  const chromium = await launchChromium();
  try {
    const page = await chromium.browser.newPage();
    // Lighthouse empties the storage first: what a page needs is put there with each document of ours.
    const entries = JSON.stringify(Object.entries(storage));
    await page.evaluateOnNewDocument(
      `if (location.protocol.startsWith('http')) for (const [key, value] of ${entries}) localStorage.setItem(key, value)`,
    );
    return await visit(page, product.url + path);
  } catch (error) {
    // Chromium's recording of a page load is now and then without its beginning.
    if (attempts === 1) throw error;
    console.log(`${path}: again (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    await chromium.close();
  }
  return visitOnce(path, storage, attempts - 1);
}

function rowsOf(path: string, visits: readonly Visit[]): Row[] {
  const of = (pick: (visit: Visit) => number) => median(visits.map(pick));
  const least = { performance: 95, accessibility: 100, 'best-practices': 100 };
  const scripts = of(({ requests }) => bytes(requests, 'Script')) / 1_000;
  return [
    ...CATEGORIES.map((name) => ({
      what: `${path}: ${name}`,
      value: of(({ scores }) => scores[name]),
      unit: 'of 100',
      budget: { atLeast: least[name] },
    })),
    {
      what: `${path}: first paint`,
      value: of(({ metrics }) => metrics['first-contentful-paint']),
      unit: 'ms',
    },
    {
      what: `${path}: largest paint`,
      value: of(({ metrics }) => metrics['largest-contentful-paint']),
      unit: 'ms',
    },
    { what: `${path}: blocked`, value: of(({ metrics }) => metrics['total-blocking-time']), unit: 'ms' },
    {
      what: `${path}: layout shift`,
      value: of(({ metrics }) => metrics['cumulative-layout-shift']),
      unit: '',
      budget: { atMost: LAYOUT_SHIFT },
    },
    {
      what: `${path}: scripts with headers`,
      value: scripts,
      unit: 'KB',
      ...(path === '/login' ? { budget: { atMost: FIRST_ROUTE_KB } } : {}),
    },
    {
      what: `${path}: hops after the remote's entry`,
      value: of(hopsAfterEntry),
      unit: '',
      budget: { atMost: 1 },
    },
  ];
}

function bytes(requests: readonly Request[], type: string): number {
  return requests.filter((one) => one.type === type).reduce((sum, one) => sum + one.bytes, 0);
}

/** The waterfall of one visit, the sizes by type, and what cost points in any. */
function print(path: string, visits: readonly Visit[]): void {
  const requests = visits[0]?.requests ?? [];
  console.log(`\n${path}: ${requests.length} requests`);
  for (const { url, type, bytes: size, start, end } of requests) {
    const times = `${start.toFixed(0).padStart(6)} → ${end.toFixed(0).padStart(6)} ms`;
    console.log(
      `${times} ${(size / 1_000).toFixed(1).padStart(7)} KB  ${type.padEnd(10)} ${new URL(url).pathname}`,
    );
  }
  for (const type of new Set(requests.map((one) => one.type))) {
    console.log(`${(bytes(requests, type) / 1_000).toFixed(1).padStart(10)} KB of ${type}`);
  }
  for (const fault of new Set(visits.flatMap(({ faults }) => faults)))
    console.log(`   costs points: ${fault}`);
  for (const shift of new Set(visits.flatMap(({ shifts }) => shifts))) console.log(`   moves: ${shift}`);
}
