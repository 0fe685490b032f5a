/** The wallet service's HTTP contract: balance, history, card top-up (spec §7 Wallet). */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDate, IsoDateTime, Rupees, SUPER_ADMINS } from '../kit.ts';
import { LANGUAGES, REFUND_MIN_PAISE, TOP_UP_MAX_RUPEES, TOP_UP_MIN_RUPEES } from '../limits.ts';

const TopUpAmount = Type.Number({
  minimum: TOP_UP_MIN_RUPEES,
  maximum: TOP_UP_MAX_RUPEES,
  description: 'Rupees, at most two decimals',
});

/** May be less than the minimum top-up, so that the rest of a wallet can be refunded. */
const RefundAmount = Type.Number({
  minimum: 0.01,
  maximum: TOP_UP_MAX_RUPEES,
  description: 'Rupees, at most two decimals',
});

export const Transaction = Type.Object({
  _id: Type.String(),
  type: Type.Union([Type.Literal('credit'), Type.Literal('debit')]),
  description: Type.String(),
  amount: Rupees,
  created_at: IsoDateTime,
});

/** Filters movements by kind and by days of India's calendar, both ends included. */
const MovementFilter = {
  type: Type.Optional(Type.Union([Type.Literal('credit'), Type.Literal('debit')])),
  from: Type.Optional(IsoDate),
  to: Type.Optional(IsoDate),
};

/** A refund from a wallet to the card of the top-up. */
export const Refund = Type.Object({
  refund_id: Type.String(),
  order_id: Type.String(),
  payment_id: Type.String(),
  user_id: Type.String(),
  amount: Rupees,
  reason: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('processed'), Type.Literal('failed')]),
  created_at: IsoDateTime,
});

/** A top-up that has not reached the wallet yet. */
export const WaitingTopUp = Type.Object({
  order: Type.Object({
    id: Type.String(),
    amount: Type.Integer({ description: 'Paise' }),
    currency: Type.String(),
  }),
  /** `arriving`: paid, and credited by itself as soon as the provider confirms it. `unfinished`: not paid yet. */
  state: Type.Enum(['arriving', 'unfinished']),
  created_at: IsoDateTime,
});
export type WaitingTopUp = Static<typeof WaitingTopUp>;

export const walletRoutes = {
  balance: defineRoute({
    method: 'GET',
    path: '/wallet/balance',
    access: 'user',
    summary: "The caller's balance",
    response: { 200: Type.Object({ balance: Rupees, updated_at: IsoDateTime }) },
  }),
  transactions: defineRoute({
    method: 'GET',
    path: '/wallet/transactions',
    access: 'user',
    summary: "The caller's transactions, newest first",
    query: Type.Object({
      ...MovementFilter,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(Transaction) },
  }),
  statement: defineRoute({
    method: 'GET',
    path: '/wallet/statement',
    access: 'user',
    summary:
      "The caller's statement, every movement with the balance after it: CSV (RFC 4180), or PDF in `language`, else that of the account",
    query: Type.Object({
      from: MovementFilter.from,
      to: MovementFilter.to,
      format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('pdf')])),
      language: Type.Optional(Type.Enum([...LANGUAGES])),
    }),
    response: { 200: 'binary' },
    timeoutMs: 20_000,
  }),
  createOrder: defineRoute({
    method: 'POST',
    path: '/wallet/create-razorpay-order',
    access: 'user',
    urgency: 'vital',
    summary: 'Open a top-up order with the card provider',
    body: Type.Object({ amount: TopUpAmount }),
    response: {
      200: Type.Object({
        success: Type.Boolean(),
        order: Type.Object({
          id: Type.String(),
          amount: Type.Integer({ description: 'Paise, as the provider has it' }),
          currency: Type.String(),
        }),
        key_id: Type.String(),
        checkout_url: Type.String({ description: "The provider's checkout script" }),
      }),
    },
    timeoutMs: 20_000,
  }),
  verifyPayment: defineRoute({
    method: 'POST',
    path: '/wallet/verify-razorpay-payment',
    access: 'user',
    urgency: 'vital',
    summary: 'Check what the checkout returned and credit the order once',
    body: Type.Object({
      razorpay_order_id: Type.String({ minLength: 1, maxLength: 100 }),
      razorpay_payment_id: Type.String({ minLength: 1, maxLength: 100 }),
      razorpay_signature: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    response: {
      200: Type.Object({ success: Type.Boolean(), message: Type.String(), balance: Rupees }),
    },
    timeoutMs: 20_000,
  }),
  orderStatus: defineRoute({
    method: 'GET',
    path: '/wallet/order-status/:id',
    access: 'user',
    urgency: 'vital',
    summary: "The state of one of the caller's top-up orders",
    params: IdParams,
    response: {
      200: Type.Object({
        order_id: Type.String(),
        status: Type.Union([Type.Literal('created'), Type.Literal('paid'), Type.Literal('failed')]),
        amount: Rupees,
        created_at: IsoDateTime,
      }),
    },
  }),
  waitingTopUps: defineRoute({
    method: 'GET',
    path: '/wallet/waiting-top-ups',
    access: 'user',
    summary:
      "The caller's top-ups that are paid but not credited yet, and the newest one if it was begun in the last day and not finished",
    response: {
      200: Type.Object({
        key_id: Type.String(),
        checkout_url: Type.String({ description: "The provider's checkout script" }),
        top_ups: Type.Array(WaitingTopUp),
      }),
    },
  }),
  addFunds: defineRoute({
    method: 'POST',
    path: '/wallet/add-funds',
    access: 'user',
    urgency: 'vital',
    summary: 'Credit a captured payment of the caller that no callback brought in, once',
    body: Type.Object({
      amount: TopUpAmount,
      payment_receipt: Type.String({ minLength: 1, maxLength: 100, description: 'The payment id' }),
    }),
    response: {
      200: Type.Object({ success: Type.Boolean(), message: Type.String(), balance: Rupees }),
    },
    timeoutMs: 20_000,
  }),
  giveUpRest: defineRoute({
    method: 'POST',
    path: '/wallet/give-up',
    access: 'user',
    summary:
      'Give up the rest of the own wallet, all of it and less than a card can have back (₹1); repeat with one key',
    body: Type.Object({
      amount: Type.Number({
        minimum: 0.01,
        exclusiveMaximum: REFUND_MIN_PAISE / 100,
        description: 'Rupees, at most two decimals: all that the wallet holds, as its owner has read it',
      }),
      idempotency_key: Type.String({ minLength: 8, maxLength: 100, description: 'Chosen by the caller' }),
    }),
    response: { 200: Type.Object({ balance: Rupees }) },
    timeoutMs: 20_000,
  }),
  webhook: defineRoute({
    method: 'POST',
    path: '/wallet/razorpay-webhook',
    access: 'public',
    urgency: 'vital',
    summary: "The provider's signed webhooks; the signature over the raw body is the credential",
    response: { 200: Type.Object({ received: Type.Boolean() }) },
  }),
  createRefund: defineRoute({
    method: 'POST',
    path: '/admin/wallet/refunds',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary:
      'Send money of a top-up back to its card, out of the wallet that it went into; repeat with one key',
    body: Type.Object({
      payment_id: Type.String({ minLength: 1, maxLength: 100 }),
      amount: RefundAmount,
      reason: Type.String({ minLength: 3, maxLength: 500 }),
      idempotency_key: Type.String({
        minLength: 8,
        maxLength: 100,
        description: 'Chosen by the caller, per refund',
      }),
    }),
    response: { 201: Refund },
    timeoutMs: 20_000,
  }),
  listRefunds: defineRoute({
    method: 'GET',
    path: '/admin/wallet/refunds',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Refunds, newest first',
    query: Type.Object({
      payment_id: Type.Optional(Type.String({ maxLength: 100 })),
      cursor: Type.Optional(Type.String({ maxLength: 64 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(Refund) },
  }),
} as const;
