/** Decides which of a user's top-ups wait for the provider or for the user. Pure. */
import type { WaitingTopUp } from '@karaar/contracts/wallet/http';
import type { OrderRow } from './topup.repository.ts';

/** After a day the user has changed their mind. */
const UNFINISHED_MS = 24 * 3_600_000;

export type Waiting<Order> = { order: Order; state: WaitingTopUp['state'] };

/** @param orders newest first: a later top-up replaces an unfinished one */
export function waitingOf<Order extends Pick<OrderRow, 'status' | 'answered_at' | 'created_at'>>(
  orders: readonly Order[],
  now: number,
): Waiting<Order>[] {
  return orders.flatMap((order, place): Waiting<Order>[] => {
    if (order.status !== 'created') return [];
    if (order.answered_at !== null) return [{ order, state: 'arriving' }];
    const isRecent = place === 0 && now - order.created_at.getTime() < UNFINISHED_MS;
    return isRecent ? [{ order, state: 'unfinished' }] : [];
  });
}
