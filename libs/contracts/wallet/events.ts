/** Facts that the wallet publishes; aggregateId is the user id. Amounts are integer paise. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';

const Movement = Type.Object({
  user_id: Type.String(),
  transfer_id: Type.String(),
  amount_paise: Type.Integer(),
  balance_paise: Type.Integer(),
});

export const walletEvents = {
  credited: defineEvent({ type: 'wallet.account.credited', version: 1, data: Movement }),
  debited: defineEvent({ type: 'wallet.account.debited', version: 1, data: Movement }),
} as const;
