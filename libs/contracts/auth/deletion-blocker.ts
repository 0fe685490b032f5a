import { Type, type Static } from 'typebox';
import { Rupees } from '../kit.ts';

/** A reason why an account cannot be deleted now, shown to its owner. */
export const DeletionBlocker = Type.Object({
  /** One of `blockerCodes`, or a code of a later release. */
  code: Type.String(),
  text: Type.String(),
  /** For `wallet_rest`, which the owner may give up, and `wallet_not_empty`: the whole balance. */
  amount: Type.Optional(Rupees),
  /** For `unfinished_agreements`: the names of the first ones. */
  names: Type.Optional(Type.Array(Type.String())),
  more: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type DeletionBlocker = Static<typeof DeletionBlocker>;

export const blockerCodes = [
  'unfinished_agreements',
  'wallet_rest',
  'wallet_not_empty',
  'top_up_under_way',
  'payment_under_way',
  'reversal_under_way',
] as const;
export type BlockerCode = (typeof blockerCodes)[number];
/** A blocker as services produce it: the user interface has a text for each code. */
export type WordedBlocker = DeletionBlocker & { code: BlockerCode };
