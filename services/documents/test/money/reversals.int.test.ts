import { jest } from '@jest/globals';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { uuidv7 } from '@karaar/db';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import fc from 'fast-check';
import { recordPayments, type PaymentEvent } from '../../src/features/agreements/charge/charge.service.ts';
import { inTransaction } from '@karaar/db';
import { startApi, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
beforeAll(async () => {
  api = await startApi('documents-reversals');
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
}, 120_000);
afterAll(() => api.stop());

const database = () => api.service.foundation.db;
const documentOf = (id: string) =>
  database().selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const linesOf = (id: string) =>
  database()
    .selectFrom('document_events')
    .selectAll()
    .where('document_id', '=', id)
    .where('type', 'like', 'payment.%')
    .orderBy('seq')
    .execute();
const payment = (document_id: string) => ({
  payment_id: uuidv7(),
  document_id,
  user_id: owner.userId,
  amount_paise: 420,
});
const completed = (document_id: string, charge_number: number, document_paid: boolean) =>
  api.world.publish(paymentsEvents.paymentCompleted, {
    ...payment(document_id),
    document_paid,
    charge_number,
  });
const reversed = (document_id: string, charge_number: number) =>
  api.world.publish(paymentsEvents.paymentReversed, { ...payment(document_id), charge_number });
const hasLines = (id: string, count: number) =>
  until('the lines are there', async () => (await linesOf(id)).length === count);

it('marks the document as unpaid again and records it in the history, without the payer as the actor', async () => {
  const id = await approvedBy(api, owner, guest);
  await completed(id, 1, true);
  await hasLines(id, 1);
  const before = await documentOf(id);
  expect(before.paid).toBe(true);
  await reversed(id, 2);
  await hasLines(id, 2);
  const after = await documentOf(id);
  expect([after.paid, after.status, after.version]).toEqual([false, 'approved', before.version + 1]);
  expect((await linesOf(id))[1]).toMatchObject({
    type: 'payment.reversed',
    actor_id: null,
    detail: "₹4.20 given back to the payer's wallet",
    status_from: 'approved',
    status_to: 'approved',
  });
  await until('it is announced', async () =>
    (
      await messagesOf<{ data: { document_id?: string; change?: string } }>(
        api.world.natsUrl,
        'EVT_DOCUMENTS',
      )
    ).some(({ data }) => data.document_id === id && data.change === 'payment.reversed'),
  );
  await completed(id, 3, true);
  await hasLines(id, 3);
  expect((await documentOf(id)).paid).toBe(true);
});

it('keeps the newest state, whichever event arrives last', async () => {
  const late = await approvedBy(api, owner, guest);
  // The second payment arrives before the earlier reversal.
  await completed(late, 3, true);
  await hasLines(late, 1);
  await reversed(late, 2);
  await hasLines(late, 2);
  expect((await documentOf(late)).paid).toBe(true);
});

it('ends in the same state for any order and batching of events', async () => {
  const ctx = { outbox: api.service.foundation.outbox };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }).chain((paid) =>
        fc.record({
          paid: fc.constant(paid),
          order: fc.shuffledSubarray([...paid.keys()], { minLength: paid.length }),
          cut: fc.integer({ min: 0, max: paid.length }),
        }),
      ),
      async ({ paid, order, cut }) => {
        const { id } = await api.create(owner);
        const events = order.map((n): PaymentEvent => ({
          change: paid[n] ? 'payment.completed' : 'payment.reversed',
          payment: payment(id),
          paid: paid[n] ?? false,
          number: n + 1,
        }));
        for (const batch of [events.slice(0, cut), events.slice(cut)])
          if (batch.length > 0) await inTransaction(database(), (tx) => recordPayments(ctx, tx, batch));
        expect((await documentOf(id)).paid).toBe(paid.at(-1));
      },
    ),
    { numRuns: 25 },
  );
});
