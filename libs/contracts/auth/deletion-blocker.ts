import { Type, type Static } from 'typebox';
import { Rupees } from '../kit.ts';

/** Why an account cannot be deleted now, to be read by its owner. */
export const DeletionBlocker = Type.Object({
  /** One of `blockerCodes`, or of a later release. */
  code: Type.String(),
  /** In English. */
  text: Type.String(),
  /** Of `wallet_rest`, which its owner may give up, and `wallet_not_empty`: all that is in the wallet. */
  amount: Type.Optional(Rupees),
  /** Of `unfinished_agreements`: the names of the first ones. */
  names: Type.Optional(Type.Array(Type.String())),
  /** How many further ones there are. */
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
/** As a service writes it: screens have words for each code. */
export type WordedBlocker = DeletionBlocker & { code: BlockerCode };
