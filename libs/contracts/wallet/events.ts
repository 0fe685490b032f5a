/** Events that the wallet publishes. Amounts are integer paise. */
import { Type } from 'typebox';
import { defineEvent, IsoDateTime, nullable } from '../kit.ts';

/** A top-up or refund whose state changed. The aggregate is the order or the refund. */
const CardMovement = Type.Object({
  /** For a top-up the order's id, for a refund its own. */
  reference: Type.String(),
  type: Type.Union([Type.Literal('top_up'), Type.Literal('refund')]),
  order_id: Type.String(),
  payment_id: nullable(Type.String()),
  user_id: Type.String(),
  amount_paise: Type.Integer(),
  /**
   * If payers bear the card provider's fee: for a top-up the fee on top of the amount, for a refund the part
   * of the amount that was the fee.
   */
  fee_paise: Type.Optional(Type.Integer()),
  status: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('failed')]),
  created_at: IsoDateTime,
});

export const walletEvents = {
  card: defineEvent({ type: 'wallet.card.changed', version: 1, data: CardMovement }),
} as const;
