import { randomUUID } from 'node:crypto';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { inDatabase } from './database.ts';
import { sharedProduct } from './shared-product/index.ts';

/**
 * Writes a dead letter of payments, as its consumer does: a top-up that it has not received.
 *
 * @param change to the event's data; without it payments can apply the event
 * @returns the event's id, and a function that returns true while the dead letter exists
 */
export async function leaveDeadLetter(
  change: object = {},
): Promise<{ id: string; kept: () => Promise<boolean> }> {
  const id = randomUUID();
  const at = '2026-11-21T06:00:00.000Z';
  const { type, subject } = walletEvents.card;
  const message = {
    ...{ id, type, version: 1, occurredAt: at, aggregateId: id, aggregateVersion: 1 },
    data: {
      ...{ reference: id, type: 'top_up', user_id: randomUUID(), order_id: id, payment_id: null },
      ...{ amount_paise: 100, status: 'pending', created_at: at },
      ...change,
    },
  };
  const inPayments = (text: string, values: unknown[]) =>
    inDatabase(sharedProduct.postgresUrl, 'payments', text, values);
  await inPayments(
    `INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries, created_at)
     VALUES ($1, 'card-movements', $2, $3, 'PoisonMessage: what it says is private', 30, '2026-11-21')`,
    [id, subject, JSON.stringify(message)],
  );
  const kept = async () =>
    (await inPayments('SELECT 1 FROM dead_letter WHERE event_id = $1', [id])).length === 1;
  return { id, kept };
}
