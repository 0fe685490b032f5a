import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fixedRate } from '../lib/fixed-rate.ts';
import { row, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';

export const ROWS = size('BENCH_ROWS', 1_000_000, 2_000);
const RATE = size('BENCH_RATE', 20, 50);
const BUDGET_MS = 100;
/** An export holds one page of rows and the buffers of the stream, independently of the length of the list. */
const BUDGET_MB = 64;

/** A list of the admins below a path, with the queries of its pages and the name of its counts. */
export type List = {
  name: string;
  path: string;
  page?: '/page';
  counts?: 'counts' | 'totals';
  queries: Record<string, string>;
};
/** The service of a list, and an admin's headers. */
export type Service = { url: string; headers: Record<string, string> };

/** Repeats a call at a fixed rate. @returns its p95 in milliseconds @throws Error when a call fails */
export async function paced(what: string, wholeMs: number, task: () => Promise<void>): Promise<number> {
  const { latency, failed, dropped, faults } = await fixedRate({
    rate: RATE,
    durationMs: size('BENCH_ROUND_MS', wholeMs, 100),
    warmUpMs: isSmoke ? 0 : 1_000,
    task,
  });
  if (failed + dropped > 0) throw new Error(`${what}: ${faults.join('; ')}`);
  console.log(`${what}: p95 ${latency.p95.toFixed(1)} ms`);
  return latency.p95;
}

const get = async ({ url, headers }: Service, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};

/** Returns the cursor after this number of pages of the largest size. */
async function cursorAfter(service: Service, path: string, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page += 1) {
    const { next_cursor } = await get(service, `${path}?limit=200${cursor}`);
    if (typeof next_cursor !== 'string') throw new Error(`${path} ends before page ${page + 2}`);
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return cursor;
}

/** Measures each call of a list. The note has the first, cold call, as for a screen that is opened once a day. */
export async function measureList(service: Service, list: List): Promise<Row[]> {
  const { name, path, page = '', counts } = list;
  const queries = {
    'first page': '',
    'page 40': await cursorAfter(service, path + page, 5),
    ...list.queries,
  };
  const calls = Object.entries(queries).map(([what, query]) => [what, `${path}${page}?limit=25${query}`]);
  if (counts !== undefined)
    for (const days of [30, 90]) calls.push([`${counts} of ${days} days`, `${path}/${counts}?days=${days}`]);
  const rows: Row[] = [];
  for (const [what = '', call = ''] of calls) {
    const began = performance.now();
    await get(service, call);
    const note = `the first ${(performance.now() - began).toFixed(0)} ms`;
    const p95 = await paced(`${name}, ${what}`, 3_000, async () => void (await get(service, call)));
    rows.push(row(`${name}, ${what}: p95`, p95, 'ms', { atMost: BUDGET_MS, note }));
  }
  return [...rows, await measureExport(service, name, `${path}/export`)];
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Returns the memory in use after garbage collection. */
const heldMb = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
};

/** Reads an export as slowly as a network would, and measures the memory meanwhile. @throws Error when it is too short */
async function measureExport({ url, headers }: Service, name: string, path: string): Promise<Row> {
  const began = performance.now();
  const before = heldMb();
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.body) throw new Error(`${path} answered ${response.status} without a body`);
  let [lines, chunks, most] = [0, 0, 0];
  // The stream is iterable, but the browser's types do not say so.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    chunks += 1;
    if (chunks % 16 !== 0) continue;
    most = Math.max(most, heldMb() - before);
    await sleep(1);
  }
  if (lines <= ROWS) throw new Error(`${path}: ${lines} lines of ${ROWS}`);
  const note = `${((performance.now() - began) / 1_000).toFixed(0)} s`;
  return row(`${name}, export of all: memory held at most`, most, 'MB', { atMost: BUDGET_MB, note });
}
