/** Requests of other services to the wallet's internal port. Amounts are integer paise. */
import { Type } from 'typebox';
import { defineInternalRpc, nullable } from '../kit.ts';

export const walletInternalRpc = {
  /**
   * Moves `amount_paise` from the user's wallet to revenue, once per key. The same key with other parameters
   * gets 409 `idempotency_mismatch`; too small a balance gets 402 `insufficient_balance` and the spec's text.
   */
  debit: defineInternalRpc({
    path: '/internal/debit',
    callee: 'wallet',
    request: Type.Object({
      idempotency_key: Type.String({ minLength: 8, maxLength: 200 }),
      user_id: Type.String(),
      amount_paise: Type.Integer({ minimum: 1 }),
      description: Type.String({ maxLength: 200 }),
      reference: Type.String({ maxLength: 200 }),
    }),
    response: Type.Object({ transfer_id: Type.String(), balance_paise: Type.Integer() }),
    timeoutMs: 3_000,
    callers: ['payments'],
  }),
  /**
   * Prevents a requested debit whose outcome is unknown: from now on its key is rejected. Returns the
   * transfer if the debit has already happened.
   */
  cancelDebit: defineInternalRpc({
    path: '/internal/cancel-debit',
    callee: 'wallet',
    request: Type.Object({
      idempotency_key: Type.String({ minLength: 8, maxLength: 200 }),
      user_id: Type.String(),
      amount_paise: Type.Integer({ minimum: 1 }),
    }),
    response: Type.Object({ transfer_id: nullable(Type.String()) }),
    timeoutMs: 3_000,
    callers: ['payments'],
  }),
  /**
   * Returns a whole debit from revenue to its wallet, once per debit, however often it is requested. A key
   * without a debit gets 404 `debit_not_found`, another user or amount 409 `idempotency_mismatch`.
   */
  reverseDebit: defineInternalRpc({
    path: '/internal/reverse-debit',
    callee: 'wallet',
    request: Type.Object({
      debit_key: Type.String({ minLength: 8, maxLength: 150 }),
      user_id: Type.String(),
      amount_paise: Type.Integer({ minimum: 1 }),
      description: Type.String({ maxLength: 200 }),
    }),
    response: Type.Object({ transfer_id: Type.String(), balance_paise: Type.Integer() }),
    timeoutMs: 3_000,
    callers: ['payments'],
  }),
} as const;
