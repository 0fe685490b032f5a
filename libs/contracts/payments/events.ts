/** Facts that the payments service publishes; aggregateId is the payment id. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';

export const paymentsEvents = {
  paymentCompleted: defineEvent({
    type: 'payments.payment.completed',
    version: 1,
    data: Type.Object({
      payment_id: Type.String(),
      document_id: Type.String(),
      user_id: Type.String(),
      amount_paise: Type.Integer(),
      /** All shares of the document are paid now. */
      document_paid: Type.Boolean(),
    }),
  }),
} as const;
