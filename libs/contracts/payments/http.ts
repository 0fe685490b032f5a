/** The payments service's HTTP contract: document charges (spec §7 Payments). */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, Rupees } from '../kit.ts';
import { LANGUAGES } from '../limits.ts';
import { adminPaymentsRoutes } from './admin.ts';
import { reversalsRoutes } from './reversals.ts';
import { Payment } from './shapes.ts';

export * from './admin.ts';
export * from './reversals.ts';
export * from './shapes.ts';

const Share = Type.Object({
  user_id: Type.String({ minLength: 1, maxLength: 64 }),
  percentage: Type.Number({ minimum: 0, maximum: 100 }),
  amount: Rupees,
  /** The amount before its last change; absent for a share that never changed. */
  amount_before: Type.Optional(Rupees),
});

export const PaymentSetupStatus = Type.Union([
  Type.Literal('not_setup'),
  Type.Literal('distributed'),
  Type.Literal('completed'),
]);

export const Calculation = Type.Object({
  total_amount: Rupees,
  duration_days: Type.Integer(),
  daily_rate: Rupees,
  payment_status: PaymentSetupStatus,
  payment_distributions: Type.Array(Share),
});
export type Calculation = Static<typeof Calculation>;

/** A share that its holder can pay now. */
export const DueShare = Type.Object({
  document_id: Type.String(),
  document_name: Type.String(),
  amount: Rupees,
});
export type DueShare = Static<typeof DueShare>;

export const paymentsRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/payments/create',
    access: 'user',
    urgency: 'vital',
    summary: "Write the caller's pending payment for a document; moves no money",
    body: Type.Object({ document_id: Type.String({ minLength: 1, maxLength: 64 }) }),
    response: { 201: Payment },
  }),
  confirm: defineRoute({
    method: 'PUT',
    path: '/payments/:id/confirm',
    access: 'user',
    urgency: 'vital',
    summary: "Execute the caller's own pending payment from the wallet, once",
    params: IdParams,
    response: { 200: Payment },
  }),
  myPayments: defineRoute({
    method: 'GET',
    path: '/payments/my-payments',
    access: 'user',
    summary: "The caller's payments, newest first",
    response: { 200: Type.Array(Payment) },
  }),
  due: defineRoute({
    method: 'GET',
    path: '/payments/due',
    access: 'user',
    summary: "The caller's unpaid shares of documents, newest first",
    response: { 200: Type.Array(DueShare) },
  }),
  documentPayments: defineRoute({
    method: 'GET',
    path: '/payments/document/:id/payments',
    access: 'user',
    summary: "A document's payments, for involved users",
    params: IdParams,
    response: { 200: Type.Array(Payment) },
  }),
  calculate: defineRoute({
    method: 'GET',
    path: '/payments/document/:id/calculate',
    access: 'user',
    summary: 'What a document costs and who pays which share',
    params: IdParams,
    response: { 200: Calculation },
  }),
  setupDistribution: defineRoute({
    method: 'POST',
    path: '/payments/document/:id/setup-distribution',
    access: 'user',
    summary: "Set the shares of an approved document; amounts are the server's own calculation",
    params: IdParams,
    body: Type.Object({
      document_id: Type.Optional(Type.String()),
      payment_distributions: Type.Array(
        Type.Object({
          user_id: Type.String({ minLength: 1, maxLength: 64 }),
          percentage: Type.Number({ minimum: 0, maximum: 100 }),
          amount: Type.Optional(Rupees),
        }),
        { minItems: 1, maxItems: 100 },
      ),
      total_amount: Type.Optional(Rupees),
      duration_days: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    response: { 200: Calculation },
  }),
  paymentStatus: defineRoute({
    method: 'GET',
    path: '/payments/document/:id/payment-status',
    access: 'user',
    summary: 'Has the primary paid, have all paid?',
    params: IdParams,
    response: {
      200: Type.Object({ primary_paid_completed: Type.Boolean(), completed: Type.Boolean() }),
    },
  }),
  pay: defineRoute({
    method: 'POST',
    path: '/payments/document/:id/pay',
    access: 'user',
    urgency: 'vital',
    summary: "Pay the caller's share from the caller's wallet, once",
    params: IdParams,
    body: Type.Object({
      total_amount: Type.Optional(Rupees),
      duration_days: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    response: { 200: Payment },
  }),
  receipt: defineRoute({
    method: 'GET',
    path: '/payments/:id/receipt',
    access: 'user',
    summary:
      "The receipt of the caller's own completed payment, as PDF: in English, then in `language`, else that of the account",
    params: IdParams,
    query: Type.Object({ language: Type.Optional(Type.Enum([...LANGUAGES])) }),
    response: { 200: 'binary' },
    timeoutMs: 20_000,
  }),
  ...adminPaymentsRoutes,
  ...reversalsRoutes,
} as const;
