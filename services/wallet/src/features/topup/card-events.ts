/** Publishes the state of card payments and refunds, for the services that list them. */
import { walletEvents } from '@karaar/contracts/wallet/events';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import type { OrderRow } from './topup.repository.ts';

/**
 * States only go forward; the rank of a state is the event's version, by which consumers skip late events.
 */
const ORDER = { created: ['pending', 1], failed: ['failed', 2], paid: ['completed', 3] } as const;
/** A processed refund can still be returned by the bank. */
const REFUND = { pending: ['pending', 1], processed: ['completed', 2], failed: ['failed', 3] } as const;

type Refund = Pick<
  OrderRow,
  'id' | 'payment_id' | 'user_id' | 'amount_paise' | 'fee_paise' | 'created_at'
> & {
  order_id: string;
  status: keyof typeof REFUND;
};

/** Publishes an order's state. Call it in the transaction of the change, with the changed row. */
export async function publishOrder(ctx: Context, tx: Tx<Database>, order: OrderRow): Promise<void> {
  const [status, version] = ORDER[order.status];
  await ctx.outbox.add(tx, walletEvents.card, {
    aggregateId: order.id,
    aggregateVersion: version,
    data: { ...shared(order), reference: order.id, type: 'top_up', order_id: order.id, status },
  });
}

export async function publishRefund(ctx: Context, tx: Tx<Database>, refund: Refund): Promise<void> {
  const [status, version] = REFUND[refund.status];
  await ctx.outbox.add(tx, walletEvents.card, {
    aggregateId: refund.id,
    aggregateVersion: version,
    data: { ...shared(refund), reference: refund.id, type: 'refund', order_id: refund.order_id, status },
  });
}

const shared = (
  row: Pick<OrderRow | Refund, 'payment_id' | 'user_id' | 'amount_paise' | 'fee_paise' | 'created_at'>,
) => ({
  payment_id: row.payment_id,
  user_id: row.user_id,
  amount_paise: row.amount_paise,
  fee_paise: row.fee_paise,
  created_at: row.created_at.toISOString(),
});
