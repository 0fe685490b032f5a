/** Decides which of a user's top-ups wait for the provider or for the user. Pure. */
import type { WaitingTopUp } from '@karaar/contracts/wallet/http';
import type { RecentOrder } from './topup.repository.ts';

/** After a day the user has changed their mind. */
const UNFINISHED_MS = 24 * 3_600_000;

export type Waiting<Order> = { order: Order; state: WaitingTopUp['state'] };

type Facts = Pick<RecentOrder, 'status' | 'answered_at' | 'created_at' | 'noted' | 'decided'>;

/** @param orders newest first: a later top-up replaces an unfinished one */
export function waitingOf<Order extends Facts>(orders: readonly Order[], now: number): Waiting<Order>[] {
  return orders.flatMap((order, place): Waiting<Order>[] => {
    if (order.status !== 'created' || order.decided) return [];
    if (order.answered_at !== null || order.noted) return [{ order, state: 'arriving' }];
    const isRecent = place === 0 && now - order.created_at.getTime() < UNFINISHED_MS;
    return isRecent ? [{ order, state: 'unfinished' }] : [];
  });
}
