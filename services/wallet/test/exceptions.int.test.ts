/** Events of the card provider that match no order become exceptions, with their money in suspense. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Dispute, ProviderRefund } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { debitOf, startApi, type Api } from './api.ts';
import { exceptionsOf, systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
beforeAll(async () => {
  api = await startApi('wallet-exceptions');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
});
afterEach(() => api.sound());

const id = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;
const noted = (subject: string) => exceptionsOf(api, subject);
const suspense = () => systemBalance(api, 'suspense');
const clearing = () => systemBalance(api, 'clearing');
const moved = async (act: () => Promise<unknown>) => {
  const before = [await clearing(), await suspense()] as const;
  await act();
  return { clearing: (await clearing()) - before[0], suspense: (await suspense()) - before[1] };
};
const refundOf = (payment_id: string, amount: number): ProviderRefund => ({
  id: id('rfnd'),
  payment_id,
  amount,
  receipt: null,
  status: 'processed',
});
const deliver = async (webhook: Parameters<Api['deliver']>[0]) =>
  expect((await api.deliver(webhook)).status).toBe(200);

describe('a captured payment', () => {
  it('of an unknown order is one exception, however often it is reported', async () => {
    const payment = api.razorpay.pay(id('order'), { amount: 12_345 });
    const change = await moved(async () => {
      const webhook = api.razorpay.webhook('payment.captured', payment);
      await Promise.all([
        deliver(webhook),
        deliver(webhook),
        deliver(api.razorpay.webhook('order.paid', payment)),
      ]);
      await deliver(webhook);
    });
    expect(change).toEqual({ clearing: -12_345, suspense: 12_345 });
    expect(await noted(payment.id)).toMatchObject([
      {
        kind: 'payment_uncredited',
        cause: 'order_not_found',
        amount_paise: 12_345,
        booked_paise: 12_345,
        payment_id: payment.id,
        order_id: payment.order_id,
        user_id: null,
        state: 'open',
      },
    ]);
  });

  it('of another amount than its order, or without an order, waits for the admins', async () => {
    const order = await api.order(user, 100);
    const other = api.razorpay.pay(order, { amount: 15_000 });
    await deliver(api.razorpay.webhook('payment.captured', other));
    expect(await noted(other.id)).toMatchObject([
      { cause: 'amount_differs', booked_paise: 15_000, user_id: user.userId },
    ]);
    expect((await api.verify(user, api.razorpay.checkoutOf(other))).status).toBe(409);
    expect(await noted(other.id)).toHaveLength(1);
    // Its payer is not asked to pay again.
    const { body } = await api.call(user, 'GET', '/wallet/waiting-top-ups');
    expect(body['top_ups']).toContainEqual(
      expect.objectContaining({
        order: expect.objectContaining({ id: order }) as unknown,
        state: 'arriving',
      }),
    );

    const alone = api.razorpay.pay('', { amount: 700 });
    await deliver(api.razorpay.webhook('payment.captured', { ...alone, order_id: null }));
    expect(await noted(alone.id)).toMatchObject([{ cause: 'order_not_found', order_id: null }]);
  });

  it('of another currency is listed and not booked', async () => {
    const payment = api.razorpay.pay(await api.order(user, 100), { currency: 'USD' });
    const change = await moved(() => deliver(api.razorpay.webhook('payment.captured', payment)));
    expect(change).toEqual({ clearing: 0, suspense: 0 });
    expect(await noted(payment.id)).toMatchObject([{ booked_paise: 0, amount_paise: 10_000 }]);
  });

  it('that pays an order for the second time is an exception in addition to the credit', async () => {
    const order = await api.order(user, 100);
    await deliver(api.razorpay.webhook('payment.captured', api.razorpay.pay(order)));
    const second = api.razorpay.pay(order);
    await deliver(api.razorpay.webhook('payment.captured', second));
    expect([await api.balance(user), (await noted(second.id))[0]?.cause]).toEqual([
      100,
      'order_already_paid',
    ]);
  });
});

describe('a refund or a dispute', () => {
  it('of a payment that credited no wallet is an exception, and closed if it fails or is won', async () => {
    const refund = refundOf('pay_ofanothershop', 2_000);
    const took = await moved(async () => {
      await deliver(api.razorpay.webhookOf('refund.processed', { refund }));
      await deliver(api.razorpay.webhookOf('refund.processed', { refund }));
    });
    expect(took).toEqual({ clearing: 2_000, suspense: -2_000 });
    await deliver(api.razorpay.webhookOf('refund.failed', { refund: { ...refund, status: 'failed' } }));
    expect(await noted(refund.id)).toMatchObject([
      { kind: 'refund_unmatched', state: 'resolved', resolution: 'settled_itself', booked_paise: 0 },
    ]);

    const dispute: Dispute = { id: id('disp'), payment_id: 'pay_ofanothershop', amount: 900, status: 'open' };
    const open = await moved(() => deliver(api.razorpay.webhookOf('payment.dispute.created', { dispute })));
    const lost = await moved(() =>
      deliver(api.razorpay.webhookOf('payment.dispute.lost', { dispute: { ...dispute, status: 'lost' } })),
    );
    expect([open.clearing, lost]).toEqual([0, { clearing: 900, suspense: -900 }]);
    expect(await noted(dispute.id)).toMatchObject([{ kind: 'dispute_unmatched', state: 'open' }]);
  });

  it('that took more than a wallet held is an exception over the rest', async () => {
    const payment = api.razorpay.pay(await api.order(user, 100));
    await api.verify(user, api.razorpay.checkoutOf(payment));
    await api.debit(debitOf(user, 80));
    const refund = refundOf(payment.id, 10_000);
    await deliver(api.razorpay.webhookOf('refund.processed', { refund }));
    expect(await noted(refund.id)).toMatchObject([
      { kind: 'wallet_short', cause: 'refund', amount_paise: 8_000, booked_paise: 0, user_id: user.userId },
    ]);
    await deliver(api.razorpay.webhookOf('refund.failed', { refund: { ...refund, status: 'failed' } }));
    expect(await noted(refund.id)).toMatchObject([{ state: 'resolved', resolution: 'settled_itself' }]);
  });

  it('in full, whose webhook comes before that of its payment, is credited and taken back', async () => {
    const payment = api.razorpay.pay(await api.order(user, 50));
    const captured = api.razorpay.webhook('payment.captured', payment);
    Object.assign(payment, { status: 'refunded' });
    const refund = refundOf(payment.id, 5_000);
    await deliver(api.razorpay.webhookOf('refund.processed', { refund }));
    await deliver(captured);
    expect([await api.balance(user), await noted(refund.id)]).toEqual([0, []]);
  });
});

it('refuses the same admin twice, and a state with wrong fields', async () => {
  const payment = api.razorpay.pay(id('order'));
  await deliver(api.razorpay.webhook('payment.captured', payment));
  const change = (set: string) =>
    api.world.asOwner(`UPDATE payment_exceptions SET ${set} WHERE subject = '${payment.id}'`);
  const decided = `state = 'resolved', resolution = 'written_off', reason = 'r', proposed_by = 'a', proposed_at = now(), resolved_at = now()`;
  await expect(change(`${decided}, confirmed_by = 'a'`)).rejects.toThrow('by_two_admins');
  await expect(change(decided)).rejects.toThrow('payment_exceptions_state');
  await expect(change(`state = 'proposed'`)).rejects.toThrow('payment_exceptions_state');
});
