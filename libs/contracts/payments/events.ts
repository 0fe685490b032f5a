/** Events that the payments service publishes; aggregateId is the payment id unless said otherwise. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';

/** Incremented by every completed or reversed payment of the document; the larger one is newer. */
const charge_number = Type.Integer();

export const paymentsEvents = {
  paymentCompleted: defineEvent({
    type: 'payments.payment.completed',
    version: 1,
    data: Type.Object({
      payment_id: Type.String(),
      document_id: Type.String(),
      user_id: Type.String(),
      amount_paise: Type.Integer(),
      /** True if all shares of the document are paid now. */
      document_paid: Type.Boolean(),
      charge_number,
    }),
  }),
  /** The shares of a document were set; the aggregate is the document, in its version. */
  sharesChanged: defineEvent({
    type: 'payments.shares.changed',
    version: 1,
    data: Type.Object({
      document_id: Type.String(),
      set_by: Type.String(),
      shares: Type.Array(
        Type.Object({
          user_id: Type.String(),
          amount_paise: Type.Integer(),
          /** The share in the distribution that this one replaces; absent without one. */
          replaced_paise: Type.Optional(Type.Integer()),
        }),
      ),
    }),
  }),
  /** The money of a completed payment is back in its payer's wallet: the share is open again. */
  paymentReversed: defineEvent({
    type: 'payments.payment.reversed',
    version: 1,
    data: Type.Object({
      payment_id: Type.String(),
      document_id: Type.String(),
      user_id: Type.String(),
      amount_paise: Type.Integer(),
      charge_number,
    }),
  }),
} as const;
