import { toRupees } from '@karaar/contracts/charge';
import type { Movement } from './ledger.repository.ts';

export const presentBalance = (balance: { balancePaise: number; updatedAt: Date }) => ({
  balance: toRupees(balance.balancePaise),
  updated_at: balance.updatedAt.toISOString(),
});

export const presentMovement = (movement: Movement) => ({
  _id: movement.id,
  type: movement.amountPaise > 0 ? ('credit' as const) : ('debit' as const),
  description: movement.description,
  amount: toRupees(Math.abs(movement.amountPaise)),
  created_at: movement.createdAt.toISOString(),
});
