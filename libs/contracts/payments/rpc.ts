/** Requests of other services to the payments service. */
import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';

/**
 * A share for which money has moved, or may be moving right now; for a party who is being removed, also a share that
 * is only set up. Integer paise.
 */
export const TakenShare = Type.Object({
  user_id: Type.String(),
  amount_paise: Type.Integer(),
  state: Type.Union([Type.Literal('paid'), Type.Literal('running'), Type.Literal('open')]),
});

export const paymentsRpc = {
  /**
   * A party wants to leave a document of this version. From then on payments refuses to start a payment or set up
   * shares on data of this version or older. If shares are already taken, nothing is changed and the answer names
   * them. When the creator removes a party, that party's own share counts as taken as soon as it is set up, and the
   * shares of others do not matter.
   */
  stopCharge: defineRpc({
    subject: 'rpc.payments.stop-charge.v1',
    request: Type.Object({
      document_id: Type.String(),
      version: Type.Integer(),
      removed: Type.Optional(Type.String()),
    }),
    response: Type.Object({ taken: Type.Array(TakenShare) }),
    timeoutMs: 3_000,
    callers: ['documents'],
  }),
} as const;
