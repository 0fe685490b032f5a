import { Type, type Static } from 'typebox';
import { Rupees } from '../kit.ts';

/** Why an account cannot be deleted now, to be read by its owner. */
export const DeletionBlocker = Type.Object({
  code: Type.String(),
  text: Type.String(),
  /** Of `wallet_rest`: all that is in the wallet, which its owner may give up. */
  amount: Type.Optional(Rupees),
});
export type DeletionBlocker = Static<typeof DeletionBlocker>;
