/** Compares the provider's payouts: each item with our books, and each sum with its items. */
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { noteDifference, settleItself } from '../exceptions/record.service.ts';
import {
  capturedFor,
  cardRefundsNamed,
  disputesNamed,
  ordersPaidBy,
  refundsNamed,
  withException,
} from './books.repository.ts';
import type { Day, Settled, Settlement } from '../provider/provider-books.ts';

/** The sum of each settlement's items in paise. There are a few settlements a day, so the map is small. */
export type Sums = Map<string, number>;

/**
 * Compares a page of settlement items; an item that our books and exceptions do not know becomes an
 * exception.
 */
export async function compareSettled(ctx: Context, page: readonly Settled[], sums: Sums): Promise<void> {
  const ids = page.map(({ id }) => id);
  const disputes = page.flatMap(({ disputeId }) => disputeId ?? []);
  const [orders, refunds, disputed, cardRefunds, noted, open] = await Promise.all([
    ordersPaidBy(ctx.db, ids),
    refundsNamed(ctx.db, ids),
    disputes.length > 0 ? disputesNamed(ctx.db, disputes) : undefined,
    cardRefundsNamed(ctx.db, ids),
    withException(ctx.db, [...ids, ...disputes]),
    withException(ctx.db, ids, ['settlement_unmatched']),
  ]);
  const isKnown = (part: Settled): boolean => {
    const order = orders.get(part.id);
    const amount =
      (order && capturedFor(order)) ??
      refunds.get(part.id)?.amount_paise ??
      disputed?.get(part.disputeId ?? '')?.amount_paise;
    if (amount === part.amountPaise || cardRefunds.has(part.id)) return true;
    // If the payment, refund or dispute has an exception already, its item gets no second one.
    return !open.has(part.id) && (noted.has(part.id) || noted.has(part.disputeId ?? ''));
  };
  for (const part of page) {
    sums.set(part.settlementId, (sums.get(part.settlementId) ?? 0) + part.netPaise);
    const known = isKnown(part);
    if (known && !open.has(part.id)) continue;
    await inTransaction(ctx.db, async (tx) => {
      if (known) return settleItself(tx, 'settlement_unmatched', part.id);
      await noteDifference(tx, {
        kind: 'settlement_unmatched',
        subject: part.id,
        cause: part.type,
        amountPaise: part.amountPaise,
        bookPaise: 0,
      });
    });
  }
}

export async function compareSettlement(ctx: Context, settlement: Settlement, sums: Sums): Promise<void> {
  const { id, amountPaise, status } = settlement;
  const beyond = amountPaise - (sums.get(id) ?? 0);
  await inTransaction(ctx.db, async (tx) => {
    if (status === 'processed' && beyond === 0) return settleItself(tx, 'settlement_differs', id);
    // The payout is in progress; the next run sees it again.
    if (status === 'created') return;
    await noteDifference(tx, {
      kind: 'settlement_differs',
      subject: id,
      cause: status === 'processed' ? 'sum_differs' : `settlement_${status}`,
      amountPaise: status === 'processed' ? Math.abs(beyond) : amountPaise,
      bookPaise: 0,
    });
  });
}

const DAY_S = 86_400;
const INDIA_S = 5.5 * 3_600;

/** Returns the last whole days in India, oldest first: their settlements no longer change. */
export function wholeDays(nowS: number, days: number): { span: { from: number; to: number }; days: Day[] } {
  const today = Math.floor((nowS + INDIA_S) / DAY_S) * DAY_S;
  const dates = Array.from({ length: days }, (_, at) => new Date((today - (days - at) * DAY_S) * 1_000));
  return {
    span: { from: today - days * DAY_S - INDIA_S, to: today - INDIA_S - 1 },
    days: dates.map((date) => ({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    })),
  };
}
