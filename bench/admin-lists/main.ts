/**
 * The admins' lists over 1,000,000 documents and 1,000,000 payments: first page, next page, each filter, sort and search,
 * counts and totals, over HTTP at a fixed arrival rate (p95 < 100 ms); and what the export of all of it holds in memory.
 */
import { startApi as startDocuments } from '@karaar/service-documents/test/api';
import { startApi as startPayments } from '@karaar/service-payments/test/api';
import { seedDocuments } from '../lists/seed.ts';
import { fixedRate } from '../lib/fixed-rate.ts';
import { report, type Row } from '../lib/report.ts';
import { exportHeld } from './memory.ts';
import { seedPayments } from './seed.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const RATE = Number(process.env['BENCH_RATE'] ?? 20);
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 6_000);
const BUDGET_MS = 100;
/** An export keeps a page of rows and the stream's buffers, whatever it is of. */
const BUDGET_MB = 64;

type List = {
  name: string;
  url: string;
  headers: { authorization: string };
  base: string;
  counts: string;
  /** Queries by what they show. */
  queries: Record<string, string>;
};

const get = async ({ url, headers }: List, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};

async function measure(list: List): Promise<Row[]> {
  const next = async (query: string) => {
    const { next_cursor } = await get(list, `${list.base}/page?limit=25${query}`);
    return `${query}&cursor=${encodeURIComponent(String(next_cursor))}`;
  };
  const calls: Record<string, string> = {
    'first page': `${list.base}/page?limit=25`,
    'next page': `${list.base}/page?limit=25${await next('')}`,
    ...Object.fromEntries(
      Object.entries(list.queries).map(([what, query]) => [what, `${list.base}/page?limit=25${query}`]),
    ),
    'counts, kept': list.counts,
  };
  const rows: Row[] = [];
  for (const [what, path] of Object.entries(calls)) {
    const paced = await fixedRate({
      rate: RATE,
      durationMs: ROUND_MS,
      warmUpMs: 1_500,
      task: async () => void (await get(list, path)),
    });
    if (paced.failed + paced.dropped > 0)
      throw new Error(`${list.name}, ${what}: ${paced.faults.join('; ')}`);
    console.log(`${list.name}, ${what}: p95 ${paced.latency.p95.toFixed(1)} ms`);
    rows.push({
      what: `${list.name}, ${what}: p95`,
      value: paced.latency.p95,
      unit: 'ms',
      budget: { atMost: BUDGET_MS },
    });
  }
  const held = await exportHeld(`${list.url}${list.base}/export`, list.headers, ROWS);
  console.log(`${list.name}, export: ${held.toFixed(1)} MB held`);
  rows.push({
    what: `${list.name}, export of all: memory held at most`,
    value: held,
    unit: 'MB',
    budget: { atMost: BUDGET_MB },
  });
  return rows;
}

const rows: Row[] = [];

const documents = await startDocuments('bench-admin-documents', { DATABASE_POOL: '10' });
try {
  const reader = await documents.world.addUser('Asha Rao');
  const heavy = await documents.world.addUser('Vikram Shah');
  console.log(`${ROWS} documents`);
  await seedDocuments(documents.service.foundation.db, {
    from: 0,
    to: ROWS,
    reader: reader.userId,
    heavy: heavy.userId,
  });
  rows.push(
    ...(await measure({
      name: 'documents',
      url: documents.url,
      headers: await documents.world.adminHeaders(),
      base: '/admin/documents',
      counts: '/admin/documents/counts',
      queries: {
        'by status': '&status=rejected',
        'by day': '&from=2025-06-16&to=2025-06-17',
        'by name': '&sort=name',
        'by status and name': '&status=approved&sort=-name',
        'oldest first': '&sort=oldest',
        'rare text': '&search=plot%20417417',
        'common text': '&search=agreement',
        'text that is nowhere': '&search=zzzqqq',
        'common text, by status and name': '&search=pune&status=rejected&sort=name',
      },
    })),
  );
} finally {
  await documents.stop();
}

const payments = await startPayments('bench-admin-payments', { DATABASE_POOL: '10' });
try {
  console.log(`${ROWS} payments`);
  await seedPayments(payments.service.foundation.db, ROWS);
  rows.push(
    ...(await measure({
      name: 'payments',
      url: payments.service.url,
      headers: await payments.world.adminHeaders(),
      base: '/admin/payments',
      counts: '/admin/payments/totals',
      queries: {
        'by type': '&type=refund',
        'by status': '&status=failed',
        'by day': '&from=2025-06-16&to=2025-06-17',
        'by amount': '&sort=amount',
        'a user’s': '&search=00000042',
        'an order': '&search=order_42',
        'rare text': '&search=plot%20417417',
        'common text': '&search=agreement',
        'text that is nowhere': '&search=zzzqqq',
      },
    })),
  );
} finally {
  await payments.stop();
}
process.exitCode = report({ name: 'admin-lists', rows, data: { rows: ROWS, rate: RATE } });
