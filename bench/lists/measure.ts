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

/** A list with the paths of its pages, export, and counts, and the queries of its pages. */
export type List = {
  name: string;
  url: string;
  headers: Record<string, string>;
  page: string;
  export: string;
  counts: Record<string, string>;
  queries: Record<string, string>;
};

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

const get = async ({ url, headers }: List, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};

/** Returns the cursor after this number of pages of the largest size. */
async function cursorAfter(list: List, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page += 1) {
    const { next_cursor } = await get(list, `${list.page}?limit=200${cursor}`);
    if (typeof next_cursor !== 'string') throw new Error(`${list.name}: There is no page ${page + 2}`);
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return cursor;
}

/** Measures each call of a list. The note has the first, cold call, as for a screen that is opened once a day. */
export async function measureList(list: List): Promise<Row[]> {
  const first = `${list.page}?limit=25`;
  const queries = { 'first page': '', 'page 40': await cursorAfter(list, 5), ...list.queries };
  const pages = Object.entries(queries).map(([what, query]) => [what, first + query] as const);
  const rows: Row[] = [];
  for (const [what, path] of [...pages, ...Object.entries(list.counts)]) {
    const began = performance.now();
    await get(list, path);
    const note = `the first ${(performance.now() - began).toFixed(0)} ms`;
    const p95 = await paced(`${list.name}, ${what}`, 3_000, async () => void (await get(list, path)));
    rows.push(row(`${list.name}, ${what}: p95`, p95, 'ms', { atMost: BUDGET_MS, note }));
  }
  return [...rows, await measureExport(list)];
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
async function measureExport({ name, url, headers, export: path }: List): Promise<Row> {
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
