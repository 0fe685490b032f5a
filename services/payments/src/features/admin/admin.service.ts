import { adminActs } from '@karaar/contracts/admin';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction } from '@karaar/db';
import { eachRow } from '@karaar/db/keyset';
import type { Context } from '../../context.ts';
import {
  listPayments,
  sumPayments,
  type PaymentFilters,
  type PaymentLine,
  type PaymentPage,
  type Totals,
} from './admin.repository.ts';
import { keepCardMovement } from './cards.repository.ts';

export const noteCardMovement = keepCardMovement;

const DEFAULT_PAGE = 50;
const EXPORT_PAGE = 1_000;

export const listAll = (
  ctx: Context,
  page: Omit<PaymentPage, 'limit'> & { limit?: number | undefined },
): Promise<{ items: PaymentLine[]; nextCursor: string | null }> =>
  listPayments(ctx.db, { ...page, limit: page.limit ?? DEFAULT_PAGE });

export const paymentTotals = (ctx: Context, days = 30): Promise<Totals> => sumPayments(ctx.db, days);

/** Returns all payments of a filter, and records the export in the audit log. Throws before the first row. */
export async function exportPayments(
  ctx: Context,
  adminId: string,
  filters: PaymentFilters,
): Promise<AsyncIterable<PaymentLine>> {
  await listAll(ctx, { ...filters, limit: 1 });
  const { type, status, from, to } = filters;
  const target = [type, status, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
  await inTransaction(ctx.db, (tx) =>
    recordAct(ctx.outbox, tx, adminActs.payments, { adminId, action: 'payments.exported', target }),
  );
  ctx.outbox.wake();
  return eachRow((cursor) => listAll(ctx, { ...filters, cursor, limit: EXPORT_PAGE }));
}
