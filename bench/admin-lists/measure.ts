/** One list: its calls at a fixed arrival rate, and what its export holds in memory. */
import { fixedRate } from '../lib/fixed-rate.ts';
import type { Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { exportHeld } from './memory.ts';

export const ROWS = size('BENCH_ROWS', 1_000_000, 2_000);
export const RATE = size('BENCH_RATE', 20, 50);
const ROUND_MS = size('BENCH_ROUND_MS', 3_000, 100);
const WARM_UP_MS = isSmoke ? 0 : 1_000;
const BUDGET_MS = 100;
/** An export keeps a page of rows and the stream's buffers, whatever it is of. */
const BUDGET_MB = 64;

export type List = {
  name: string;
  /** Where the service listens. */
  url: string;
  headers: Record<string, string>;
  /** Path of the list's pages. */
  page: string;
  export: string;
  /** Further calls by what they show: counts and totals. */
  counts: Record<string, string>;
  /** Queries by what they show. */
  queries: Record<string, string>;
};

const get = async ({ url, headers }: List, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};

/** The cursor behind as many pages of the largest size. */
async function cursorAfter(list: List, query: string, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page += 1) {
    const { next_cursor } = await get(list, `${list.page}?limit=200${query}${cursor}`);
    if (typeof next_cursor !== 'string') throw new Error(`${list.name}${query}: no page ${page + 2}`);
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return cursor;
}

/**
 * p95 of each call, at {@link RATE} a second. The first of each is told apart: nobody has asked for it before, and a
 * screen that is opened once a day is opened that way.
 */
export async function measureList(list: List): Promise<Row[]> {
  const first = `${list.page}?limit=25`;
  const calls: Record<string, string> = {
    'first page': first,
    'page 40': first + (await cursorAfter(list, '', 5)),
    ...Object.fromEntries(Object.entries(list.queries).map(([what, query]) => [what, first + query])),
    ...list.counts,
  };
  const rows: Row[] = [];
  for (const [what, path] of Object.entries(calls)) {
    const began = performance.now();
    await get(list, path);
    const alone = performance.now() - began;
    const paced = await fixedRate({
      rate: RATE,
      durationMs: ROUND_MS,
      warmUpMs: WARM_UP_MS,
      task: async () => void (await get(list, path)),
    });
    if (paced.failed + paced.dropped > 0)
      throw new Error(`${list.name}, ${what}: ${paced.faults.join('; ')}`);
    const { p95 } = paced.latency;
    console.log(`${list.name}, ${what}: p95 ${p95.toFixed(1)} ms, the first ${alone.toFixed(1)} ms`);
    rows.push({
      what: `${list.name}, ${what}: p95`,
      value: p95,
      unit: 'ms',
      budget: { atMost: BUDGET_MS },
      note: `the first ${alone.toFixed(0)} ms`,
    });
  }
  return rows;
}

/** What the export of the whole list holds in memory while it is read. */
export async function measureExport(list: List): Promise<Row[]> {
  const began = performance.now();
  const held = await exportHeld(`${list.url}${list.export}`, list.headers, ROWS);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${list.name}, export: ${held.toFixed(1)} MB held, ${seconds.toFixed(0)} s`);
  return [
    {
      what: `${list.name}, export of all: memory held at most`,
      value: held,
      unit: 'MB',
      budget: { atMost: BUDGET_MB },
      note: `${seconds.toFixed(0)} s`,
    },
  ];
}
