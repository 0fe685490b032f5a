/** The front end as deployed: behind TLS, with HTTP/2. */
import httpProxy from '@fastify/http-proxy';
import type { Product } from '@karaar/dev/product';
import { withProduct } from '@karaar/e2e/src/own-product.ts';
import { createAuthority } from '@karaar/testing/people/authority';
import { scratch } from '@karaar/testing/scratch';
import { launchChromium } from '@karaar/testing/servers/chromium';
import fastify from 'fastify';
import { demoUsers } from '../lib/people.ts';
import { report, row, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { CATEGORIES, hopsAfterEntry, visit, type Visit } from './lighthouse.ts';

type Storage = Record<string, string>;

const RUNS = size('BENCH_RUNS', 5, 1);
/** The most attempts for a visit. */
const ATTEMPTS = 4;
/** Search engines rate up to 0.1 as good. */
const LAYOUT_SHIFT = 0.02;
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100 };

/** Returns the local storage of a browser with a signed-in user. */
async function storageOf(url: string): Promise<Storage> {
  const [{ call, token }] = await demoUsers(url);
  const { user_id, char_id, name, email, phone_no } = (await call('GET', '/users/profile')).body;
  const profile = { isComplete: true, completionPercentage: 100, missing: [] };
  const user = { user_id, char_id, name, email, phone_no, is_admin: false, profile };
  return { token, user: JSON.stringify(user) };
}

/** Starts a TLS proxy in front of a server. */
async function behindTls(upstream: string) {
  const https = await (await createAuthority(scratch().dir)).issue(['DNS:localhost']);
  const app = fastify({ http2: true, https: { ...https, allowHTTP1: true } });
  await app.register(httpProxy, { upstream, websocket: true, http2: false });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: address.replace('127.0.0.1', 'localhost'), close: () => app.close() };
}

async function measure(product: Product): Promise<number> {
  const storage = await storageOf(product.url);
  const { url, close } = await behindTls(product.url);
  const rows: Row[] = [];
  const data: Record<string, Visit[]> = {};
  for (const [path, entries] of [
    ['/welcome', {}],
    ['/login', {}],
    ['/dashboard', storage],
  ] as const) {
    const visits: Visit[] = [];
    while (visits.length < RUNS) visits.push(await visitOnce(url + path, entries, ATTEMPTS));
    data[path] = visits;
    rows.push(...rowsOf(path, visits));
    for (const fault of new Set(visits.flatMap(({ faults }) => faults))) console.log(`${path}: ${fault}`);
  }
  await close();
  return report({ name: 'web', rows, data });
}

/** Visits a page in a new browser with these entries in local storage. */
async function visitOnce(url: string, storage: Storage, attempts: number): Promise<Visit> {
  const chromium = await launchChromium({ args: ['--ignore-certificate-errors'] });
  try {
    const page = await chromium.browser.newPage();
    // Lighthouse empties the storage first, so each document of ours fills it again.
    const entries = JSON.stringify(Object.entries(storage));
    await page.evaluateOnNewDocument(
      `if (location.protocol.startsWith('http')) for (const [key, value] of ${entries}) localStorage.setItem(key, value)`,
    );
    return await visit(page, url);
  } catch (error) {
    // Chromium's recording of a page load sometimes lacks its beginning.
    if (attempts === 1) throw error;
    console.log(`${url}: again (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    await chromium.close();
  }
  return visitOnce(url, storage, attempts - 1);
}

function rowsOf(path: string, visits: readonly Visit[]): Row[] {
  const of = (pick: (visit: Visit) => number) => median(visits.map(pick));
  return [
    ...CATEGORIES.map((name) =>
      row(
        `${path}: ${name}`,
        of(({ scores }) => scores[name]),
        'of 100',
        { atLeast: LEAST[name] },
      ),
    ),
    row(
      `${path}: layout shift`,
      of(({ layoutShift }) => layoutShift),
      '',
      { atMost: LAYOUT_SHIFT },
    ),
    row(`${path}: hops after the remote's entry`, of(hopsAfterEntry), '', { atMost: 1 }),
  ];
}

process.exitCode = await withProduct({ web: true, env: { LOG_LEVEL: 'warn' } }, measure);
