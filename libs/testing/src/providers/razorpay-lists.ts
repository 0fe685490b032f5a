/** The card provider's lists of its own books, as its API pages them: newest first, by `from`, `to`, `count` and `skip`. */
import type { Dispute, Payment, ProviderRefund } from './razorpay.ts';

/** What was paid out to the merchant's bank at once. */
export type Settlement = { id: string; amount: number; status: string; created_at: number };
/** One thing that a settlement paid out or kept back. */
export type Settled = {
  entity_id: string;
  type: 'payment' | 'refund' | 'adjustment';
  amount: number;
  debit: number;
  credit: number;
  settlement_id: string;
  settled_at: number;
  dispute_id?: string | null;
};
export type Books = {
  payments: Map<string, Payment>;
  refunds: ProviderRefund[];
  disputes: Dispute[];
  settlements: Settlement[];
  settled: Settled[];
};

const LONGEST = 100;
const LONGEST_SETTLED = 1_000;
const INDIA_MS = 5.5 * 3_600_000;

/** The answer to a call for a list or for one refund or dispute; undefined when the path is another one. */
export function fromBooks(
  books: Books,
  url: string,
): { entity: string; [key: string]: unknown } | 'unknown' | undefined {
  const { pathname, searchParams } = new URL(url, 'http://provider');
  const dated = (rows: Iterable<{ created_at?: number }>, entity: string) =>
    page(
      [...rows].filter(({ created_at = nowS() }) => isWithin(created_at, searchParams)),
      searchParams,
      LONGEST,
      entity,
    );
  if (pathname === '/v1/payments') return dated(books.payments.values(), 'payment');
  if (pathname === '/v1/refunds') return dated(books.refunds, 'refund');
  if (pathname === '/v1/disputes') return dated(books.disputes, 'dispute');
  if (pathname === '/v1/settlements') return dated(books.settlements, 'settlement');
  if (pathname === '/v1/settlements/recon/combined') {
    const asked = ['year', 'month', 'day'].map((name) => Number(searchParams.get(name))).join('-');
    const rows = books.settled.filter(({ settled_at }) => dayOf(settled_at) === asked);
    return page(rows, searchParams, LONGEST_SETTLED);
  }
  const [, , kind, id, more] = pathname.split('/');
  if (more !== undefined || (kind !== 'refunds' && kind !== 'disputes')) return undefined;
  const found = (kind === 'refunds' ? books.refunds : books.disputes).find((row) => row.id === id);
  return found ? { status: 'processed', ...found, entity: kind.slice(0, -1) } : 'unknown';
}

export const nowS = (): number => Math.floor(Date.now() / 1_000);

const isWithin = (at: number, asked: URLSearchParams): boolean =>
  at >= Number(asked.get('from') ?? 0) && at <= Number(asked.get('to') ?? Number.MAX_SAFE_INTEGER);

function dayOf(atS: number): string {
  const date = new Date(atS * 1_000 + INDIA_MS);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()].join('-');
}

function page(rows: object[], asked: URLSearchParams, longest: number, entity?: string) {
  const skip = Number(asked.get('skip') ?? 0);
  const count = Math.min(longest, Number(asked.get('count') ?? 10));
  const items = rows
    .reverse()
    .slice(skip, skip + count)
    .map((row) => ({
      ...(entity === 'refund' ? { status: 'processed' } : {}),
      created_at: nowS(),
      ...(entity === undefined ? {} : { entity }),
      ...row,
    }));
  return { entity: 'collection', count: items.length, items };
}
