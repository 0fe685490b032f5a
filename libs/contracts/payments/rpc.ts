/** RPC requests of other services to the payments service. */
import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';

/**
 * A share that is paid, or may be in payment now; for a party who is being removed, also a share that is only
 * set. Integer paise.
 */
export const TakenShare = Type.Object({
  user_id: Type.String(),
  amount_paise: Type.Integer(),
  state: Type.Union([Type.Literal('paid'), Type.Literal('running'), Type.Literal('open')]),
});

export const paymentsRpc = {
  /**
   * A party wants to leave a document of this version. From then on payments rejects new payments and shares
   * based on this version or an older one. If shares are already taken, nothing changes and the reply names
   * them. When the creator removes a party, that party's own share counts as taken as soon as it is set, and
   * the shares of others do not matter.
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
  /** Whether a user has a share of a document that is neither paid nor in payment. */
  owes: defineRpc({
    subject: 'rpc.payments.owes.v1',
    request: Type.Object({ user_id: Type.String(), document_id: Type.String() }),
    response: Type.Object({ owes: Type.Boolean() }),
    timeoutMs: 3_000,
    callers: ['documents'],
  }),
} as const;
