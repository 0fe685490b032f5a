/** Events that payments could not apply, written as its consumer does. */
import { randomUUID } from 'node:crypto';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { inDatabase } from './database.ts';
import { sharedProduct } from './shared-product/index.ts';

const HANDLER = 'card-movements';

/**
 * Leaves a top-up that payments has not heard of.
 *
 * @param change of its data; without one it can be applied
 * @returns the event's id and whether payments keeps it still
 */
export async function leaveDeadLetter(
  change: object = {},
): Promise<{ id: string; kept: () => Promise<boolean> }> {
  const id = randomUUID();
  const message = {
    id,
    type: walletEvents.card.type,
    version: 1,
    occurredAt: '2026-11-21T06:00:00.000Z',
    aggregateId: id,
    aggregateVersion: 1,
    data: {
      reference: id,
      type: 'top_up',
      user_id: randomUUID(),
      order_id: id,
      payment_id: null,
      amount_paise: 100,
      status: 'pending',
      created_at: '2026-11-21T06:00:00.000Z',
      ...change,
    },
  };
  await inPayments(
    `INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries, created_at)
     VALUES ($1, $2, $3, $4, 'PoisonMessage: what it says is private', 30, '2026-11-21')`,
    [id, HANDLER, walletEvents.card.subject, JSON.stringify(message)],
  );
  const kept = async () =>
    (await inPayments('SELECT 1 FROM dead_letter WHERE event_id = $1', [id])).length === 1;
  return { id, kept };
}

const inPayments = (text: string, values: unknown[]) =>
  inDatabase(sharedProduct.postgresUrl, 'payments', text, values);
