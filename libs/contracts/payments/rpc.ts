/** Questions that other services ask the payments service. */
import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';

/** A share for which money has moved, or may be moving right now; of one who is removed also one that is set up. Integer paise. */
export const TakenShare = Type.Object({
  user_id: Type.String(),
  amount_paise: Type.Integer(),
  state: Type.Union([Type.Literal('paid'), Type.Literal('running'), Type.Literal('open')]),
});

export const paymentsRpc = {
  /**
   * A party wants to leave a document of this version. No answer of documents that is as old as this starts a payment
   * or sets shares up any more, unless there are taken shares: then nothing happens but that they are named. Of a person
   * who is removed by somebody else the own share is taken as soon as it is set up, and those of others do not matter.
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
