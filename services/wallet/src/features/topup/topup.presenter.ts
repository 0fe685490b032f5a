import { toRupees } from '@karaar/contracts/charge';
import type { OrderRow } from './topup.repository.ts';

export const presentOrder = (order: OrderRow) => ({
  order_id: order.id,
  status: order.status,
  amount: toRupees(order.amount_paise),
  created_at: order.created_at.toISOString(),
});

export const presentCredit = (credited: { balancePaise: number }) => ({
  success: true,
  message: 'Your wallet was topped up.',
  balance: toRupees(credited.balancePaise),
});
