/** The admins' part of the payments contract (spec §7 Admin): every payment, from a wallet or by card. */
import { Type, type Static } from 'typebox';
import { dayRange, NextCursor, pageOf, SeriesQuery } from '../admin.ts';
import { defineRoute, IsoDate, nullable, Rupees, SUPER_ADMINS } from '../kit.ts';
import { Payment } from './shapes.ts';

/** A document share paid from a wallet, a wallet top-up by card, or a refunded top-up. */
export const PAYMENT_TYPES = ['document', 'top_up', 'refund'] as const;
export const PaymentType = Type.Enum([...PAYMENT_TYPES]);
export type PaymentType = Static<typeof PaymentType>;

export const AdminPayment = Type.Object({
  ...Payment.properties,
  document_id: nullable(Type.String()),
  document_name: nullable(Type.String()),
  user_name: Type.String(),
  char_id: Type.String(),
  type: PaymentType,
  card_fee: Type.Number({
    description:
      "Rupees, where payers bear the card provider's fee: paid on top of a top-up, or the part of a refund that was paid so",
  }),
  order_id: nullable(Type.String({ description: "The card provider's order; none for a document" })),
  payment_id: nullable(
    Type.String({ description: "The card provider's payment, or our own for a document" }),
  ),
});
export type AdminPayment = Static<typeof AdminPayment>;

export const AdminPaymentSort = Type.Enum(['newest', 'oldest', 'amount', '-amount']);
export type AdminPaymentSort = Static<typeof AdminPaymentSort>;

const filters = {
  /**
   * An id of a payment, an order or a document; a user's ID, phone or e-mail; otherwise a part of a
   * document's name.
   */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Type.Union([Payment.properties.status, Type.Literal('')])),
  type: Type.Optional(Type.Union([PaymentType, Type.Literal('')])),
  document_id: Type.Optional(Type.String({ maxLength: 64 })),
  ...dayRange,
  sort: Type.Optional(AdminPaymentSort),
};
const ListQuery = Type.Object({ ...filters, ...pageOf });

const Sum = Type.Object({ amount: Rupees, count: Type.Integer() });

export const adminPaymentsRoutes = {
  adminPayments: defineRoute({
    method: 'GET',
    path: '/admin/payments',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary:
      'All payments, newest first; where more follow, the header X-Next-Cursor has the cursor of the next page',
    query: ListQuery,
    response: { 200: Type.Array(AdminPayment) },
  }),
  adminPaymentsPage: defineRoute({
    method: 'GET',
    path: '/admin/payments/page',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'The same list by pages, with the cursor of the next one in the answer',
    query: ListQuery,
    response: { 200: Type.Object({ items: Type.Array(AdminPayment), next_cursor: NextCursor }) },
  }),
  adminPaymentsExport: defineRoute({
    method: 'GET',
    path: '/admin/payments/export',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'The same list as CSV, whole; recorded in the audit log',
    query: Type.Object(filters),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
  }),
  adminPaymentTotals: defineRoute({
    method: 'GET',
    path: '/admin/payments/totals',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'What was paid in all: for documents, into wallets, back to cards, and for documents by day',
    query: SeriesQuery,
    response: {
      200: Type.Object({
        /** Completed payments for documents. */
        volume: Sum,
        top_ups: Sum,
        refunds: Sum,
        pending: Sum,
        failed: Sum,
        /** Reversed payments for documents. */
        reversed: Sum,
        by_day: Type.Array(Type.Object({ day: IsoDate, amount: Rupees, count: Type.Integer() })),
      }),
    },
  }),
} as const;
