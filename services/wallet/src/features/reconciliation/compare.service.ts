/**
 * Compares the card provider's books with ours in both directions: payments, refunds, disputes, settlements,
 * and the clearing account. It applies what was missed (a lost webhook); other differences become exceptions
 * (ADR 0065).
 */
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { DisputeRow } from '../disputes/disputes.repository.ts';
import { noteDifference, settleItself } from '../exceptions/record.service.ts';
import type { RefundRow } from '../refunds/refunds.repository.ts';
import type { OrderRow } from '../topup/topup.repository.ts';
import { clearingBeyondBooks, markCompared, uncompared } from './books.repository.ts';
import { compareDispute, compareDisputes } from './compare-disputes.ts';
import { compareOrder, comparePayments } from './compare-payments.ts';
import { compareRefund, compareRefunds } from './compare-refunds.ts';
import { compareSettled, compareSettlement, wholeDays, type Sums } from './compare-settlements.ts';
import type { Looked } from './reconciliation.repository.ts';

/** A bank may approve a payment five days after the attempt; the other days allow for failed runs. */
const PAYMENT_DAYS = 10;
/** Refunds may fail at the bank weeks after the provider accepted them. */
const REFUND_DAYS = 30;
const SETTLEMENT_DAYS = 10;
const DAY_S = 86_400;
/** The most rows of a kind that one run requests singly, because no list had them. */
const MOST_SINGLE = 1_000;
const PAGE = 100;

/**
 * Compares the books, and returns the number of entities compared. Throws if the provider or the database is
 * down, or `signal` aborts; completed comparisons stay.
 */
export async function compareBooks(ctx: Context, signal: AbortSignal): Promise<Looked> {
  const before = Date.now() - ctx.config.BOOKS_GRACE_S * 1_000;
  const to = Math.floor(before / 1_000);
  const { books } = ctx.provider;
  const looked: Looked = { payments: 0, refunds: 0, disputes: 0, settlements: 0 };

  for await (const page of books.payments({ from: to - PAYMENT_DAYS * DAY_S, to })) {
    signal.throwIfAborted();
    looked.payments += page.length;
    await comparePayments(ctx, page);
  }
  for await (const page of books.refunds({ from: to - REFUND_DAYS * DAY_S, to })) {
    signal.throwIfAborted();
    looked.refunds += page.length;
    await compareRefunds(ctx, page);
  }
  for await (const page of books.disputes()) {
    signal.throwIfAborted();
    const opened = page.filter(({ createdAt }) => createdAt <= to);
    looked.disputes += opened.length;
    if (opened.length > 0) await compareDisputes(ctx, opened);
  }
  await compareRest(ctx, new Date(before), signal);
  looked.settlements = await compareSettlements(ctx, signal);
  await compareClearing(ctx);
  return looked;
}

/** Requests each row of our books that no list had. */
async function compareRest(ctx: Context, before: Date, signal: AbortSignal): Promise<void> {
  const { provider } = ctx;
  const rest = <Row extends { id: string }>(
    table: Parameters<typeof uncompared>[1],
    compare: (row: Row) => Promise<boolean>,
  ) => eachUncompared(ctx, table, { before, signal, compare });
  await rest<OrderRow>('top_up_orders', async (order) =>
    compareOrder(ctx, order, await provider.findPayment(order.payment_id ?? ''), true),
  );
  await rest<RefundRow>('refunds', async (refund) =>
    compareRefund(ctx, refund, await provider.books.findRefund(refund.provider_refund_id ?? ''), true),
  );
  await rest<DisputeRow>('disputes', async (dispute) =>
    compareDispute(ctx, dispute, await provider.books.findDispute(dispute.id), true),
  );
}

async function eachUncompared<Row extends { id: string }>(
  ctx: Context,
  table: Parameters<typeof uncompared>[1],
  options: { before: Date; signal: AbortSignal; compare: (row: Row) => Promise<boolean> },
): Promise<void> {
  let after: string | undefined;
  for (let compared = 0; compared < MOST_SINGLE; compared += PAGE) {
    const rows = await uncompared<Row>(ctx.db, table, { after, before: options.before, limit: PAGE });
    for (const row of rows) {
      options.signal.throwIfAborted();
      if (await options.compare(row)) await markCompared(ctx.db, table, [row.id]);
    }
    after = rows.at(-1)?.id;
    if (rows.length < PAGE) return;
  }
}

async function compareSettlements(ctx: Context, signal: AbortSignal): Promise<number> {
  const { span, days } = wholeDays(Date.now() / 1_000, SETTLEMENT_DAYS);
  const sums: Sums = new Map();
  for (const day of days) {
    for await (const page of ctx.provider.books.settledOn(day)) {
      signal.throwIfAborted();
      await compareSettled(ctx, page, sums);
    }
  }
  let settlements = 0;
  for await (const page of ctx.provider.books.settlements(span)) {
    signal.throwIfAborted();
    settlements += page.length;
    for (const settlement of page) await compareSettlement(ctx, settlement, sums);
  }
  return settlements;
}

async function compareClearing(ctx: Context): Promise<void> {
  const beyond = await clearingBeyondBooks(ctx.db);
  await inTransaction(ctx.db, async (tx) => {
    if (beyond === 0) return settleItself(tx, 'clearing_differs', 'clearing');
    await noteDifference(tx, {
      kind: 'clearing_differs',
      subject: 'clearing',
      cause: 'unexplained_entries',
      amountPaise: Math.abs(beyond),
      bookPaise: 0,
    });
  });
}
