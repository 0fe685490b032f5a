import { toRupees } from '@karaar/contracts/charge';
import type { WaitingTopUp } from '@karaar/contracts/wallet/http';
import type { OrderRow } from './topup.repository.ts';
import type { Waiting } from './waiting.ts';

export const presentOrder = (order: OrderRow) => ({
  order_id: order.id,
  status: order.status,
  amount: toRupees(order.amount_paise),
  created_at: order.created_at.toISOString(),
});

export const presentWaiting = ({ order, state }: Waiting<OrderRow>): WaitingTopUp => ({
  order: { id: order.id, amount: order.amount_paise, currency: order.currency },
  state,
  created_at: order.created_at.toISOString(),
});

export const presentCredit = (credited: { balancePaise: number }) => ({
  success: true,
  message: 'Your wallet was topped up.',
  balance: toRupees(credited.balancePaise),
});
