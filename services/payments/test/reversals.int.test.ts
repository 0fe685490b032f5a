/** Admins give payments back: alone up to a limit, two admins beyond it; exactly once, whatever fails. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { adminActs, type AdminAct } from '@karaar/contracts/admin';
import type { Envelope } from '@karaar/contracts/kit';
import type { Reversal } from '@karaar/contracts/payments/http';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import type { WorldAdmin, WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { completePayments } from '../src/features/charges/charges.repository.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(90_000);

/** Enough for two payments of ₹3.50 within a day, and too little for a third. */
const ALONE_PAISE = 800;
const reason = 'Charged twice by mistake';

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let [meera, arjun]: WorldAdmin[] = [];

beforeAll(async () => {
  api = await startApi('payments-reversals', {
    SWEEP_EVERY_MS: '100',
    SWEEP_AFTER_MS: '400',
    REVERSAL_ALONE_PAISE: String(ALONE_PAISE),
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram] = [await api.user('Asha Rao', 1_000), await api.user('Vikram Shah', 1_000)];
  [meera, arjun] = [await api.world.addAdmin(), await api.world.addAdmin()];
  api.wallet.nextReversals.length = 0;
  await api.wallet.start();
});

type Refusal = { detail: string; code: string };
const database = () => api.service.foundation.db;

/** A document of both, of which Asha has paid her half: ₹3.50, or more at a higher rate. */
async function paid({ rupeesADay = 1 } = {}): Promise<{ document: string; payment: string }> {
  const document = api.document([asha, vikram], { daily_rate_paise: rupeesADay * 100 });
  await api.distribute(asha, document, [
    [asha, 50],
    [vikram, 50],
  ]);
  const { status, body } = await api.pay(asha, document);
  expect(status).toBe(200);
  return { document, payment: String(body['_id']) };
}
const reverse = (admin: WorldAdmin | undefined, payment: string, body: object = { reason }) =>
  api.call<Reversal & Refusal>(admin, 'POST', `/admin/payments/${payment}/reversals`, body);
const confirm = (admin: WorldAdmin | undefined, id: string) =>
  api.call<Reversal & Refusal>(admin, 'POST', `/admin/payments/reversals/${id}/confirm`);
const blockers = async () => {
  const answer = await api.world.ask(deletionRpc.payments, { user_id: asha.userId }, 'auth');
  return answer.blockers.map(({ code }) => code);
};
const decline = (admin: WorldAdmin | undefined, id: string) =>
  api.call<Reversal & Refusal>(admin, 'POST', `/admin/payments/reversals/${id}/decline`, {
    reason: 'The charge was right',
  });
const balance = (user: WorldUser) => api.wallet.balances.get(user.userId);
const rowOf = (payment: string) =>
  database().selectFrom('payments').selectAll().where('id', '=', payment).executeTakeFirstOrThrow();
const reversalsOf = (payment: string) =>
  database().selectFrom('reversals').selectAll().where('payment_id', '=', payment).orderBy('id').execute();
const events = async (document: string) =>
  (await api.events(document)).filter(({ type }) => type === 'payments.payment.reversed');
const actsOf = async (payment: string) =>
  (await messagesOf<Envelope<AdminAct>>(api.world.natsUrl, 'EVT_PAYMENTS'))
    .filter(({ type, data }) => type === adminActs.payments.type && data.target_id === payment)
    .map(({ data }) => data);
const isReversed = (payment: string) =>
  until('the payment is reversed', async () => (await rowOf(payment)).status === 'reversed');

describe('within the limit of one admin', () => {
  it('[PAY-060] is done at once, published and recorded, and the share can be paid again', async () => {
    const { document, payment } = await paid();
    expect(balance(asha)).toBe(100_000 - 350);
    const { status, body } = await reverse(meera, payment);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        payment_id: payment,
        document_id: document,
        user_id: asha.userId,
        amount: 3.5,
        reason,
        state: 'done',
        two_people: false,
        mine: true,
        requested_by: 'editor-in-chief',
        confirmed_by: null,
      }),
    ]);
    expect(balance(asha)).toBe(100_000);
    expect((await api.payments(asha, document)).map((one) => one.status)).toEqual(['reversed']);
    const status2 = await api.call(asha, 'GET', `/payments/document/${document}/payment-status`);
    expect(status2.body).toEqual({ primary_paid_completed: false, completed: false });
    await until('the event is out', async () => (await events(document)).length === 1);
    expect((await events(document))[0]).toMatchObject({
      aggregateId: payment,
      aggregateVersion: 3,
      data: {
        payment_id: payment,
        document_id: document,
        user_id: asha.userId,
        amount_paise: 350,
        charge_number: 2,
      },
    });
    expect(await actsOf(payment)).toEqual([
      expect.objectContaining({
        admin_id: meera?.adminId,
        action: 'reversal.made',
        target: '₹3.50',
        reason,
      }),
    ]);
    // A reversed payment has no receipt and cannot be confirmed.
    const receipt = await api.call(asha, 'GET', `/payments/${payment}/receipt`);
    expect([receipt.status, receipt.body['code']]).toEqual([409, 'payment_reversed']);
    const again = await api.call(asha, 'PUT', `/payments/${payment}/confirm`);
    expect([again.status, again.body['code']]).toEqual([409, 'payment_reversed']);

    const exported = await api.world.ask(exportRpc.payments, { user_id: asha.userId, cursor: null }, 'auth');
    expect(exported.items).toEqual([
      expect.objectContaining({ status: 'reversed', reversed_because: reason }),
    ]);

    // The share is paid again by another payment, with a larger charge number.
    const secondPayment = await api.pay(asha, document);
    expect([secondPayment.status, secondPayment.body['_id'] !== payment]).toEqual([200, true]);
    await api.pay(vikram, document);
    await until('all events are out', async () => (await api.events(document)).length === 4);
    const numbers = (await api.events(document)).map(({ data }) => [data.charge_number, data.document_paid]);
    expect(numbers).toEqual([
      [1, false],
      [2, undefined],
      [3, false],
      [4, true],
    ]);
  });

  it('has no effect when the same admin repeats it, and is refused to another admin', async () => {
    const { payment } = await paid();
    const first = await reverse(meera, payment);
    const again = await reverse(meera, payment);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await reverse(arjun, payment)).body.code).toBe('payment_reversed');
    expect((await reverse(meera, payment, { reason: 'Another reason for it' })).body.code).toBe(
      'payment_reversed',
    );
    expect(await reversalsOf(payment)).toHaveLength(1);
    expect(balance(asha)).toBe(100_000);
  });

  it('ends with the sum of 24 hours: beyond it a second admin is needed', async () => {
    const three = [await paid(), await paid(), await paid()];
    const states: string[] = [];
    for (const { payment } of three) states.push((await reverse(meera, payment)).body.state);
    expect(states).toEqual(['done', 'done', 'requested']);
    const many = [await paid(), await paid(), await paid(), await paid()];
    const answers = await Promise.all(many.map(({ payment }) => reverse(arjun, payment)));
    expect(answers.filter(({ body }) => body.state === 'done')).toHaveLength(2);
    expect(answers.filter(({ body }) => body.state === 'requested')).toHaveLength(2);
  });

  it('happens once when two admins request it at the same time', async () => {
    const { document, payment } = await paid();
    const answers = await Promise.all([reverse(meera, payment), reverse(arjun, payment)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await isReversed(payment);
    expect(balance(asha)).toBe(100_000);
    expect(await reversalsOf(payment)).toHaveLength(1);
    await until('the event is out', async () => (await events(document)).length > 0);
    expect(await events(document)).toHaveLength(1);
  });
});

describe('beyond the limit', () => {
  it('[PAY-061] waits for another admin; no money moves before, and the requesting admin cannot confirm', async () => {
    const { document, payment } = await paid({ rupeesADay: 10 });
    const answer = await reverse(meera, payment);
    expect([answer.status, answer.body.state, answer.body.two_people]).toEqual([201, 'requested', true]);
    const id = answer.body.reversal_id;
    expect((await rowOf(payment)).status).toBe('completed');
    expect(balance(asha)).toBe(100_000 - 3_500);
    expect((await reverse(arjun, payment)).body.code).toBe('reversal_exists');
    expect(await confirm(meera, id)).toEqual({
      status: 403,
      body: {
        code: 'reversal_same_admin',
        detail: 'Another admin must confirm this reversal: you have asked for it.',
      },
    });
    const list = await api.call<{ items: Reversal[] }>(
      arjun,
      'GET',
      '/admin/payments/reversals?state=requested',
    );
    expect(list.body.items.find(({ reversal_id }) => reversal_id === id)).toMatchObject({
      mine: false,
      amount: 35,
    });

    const done = await confirm(arjun, id);
    expect([done.status, done.body.state]).toEqual([200, 'done']);
    expect(balance(asha)).toBe(100_000);
    expect((await confirm(arjun, id)).body.code).toBe('reversal_not_waiting');
    expect((await decline(arjun, id)).body.code).toBe('reversal_not_waiting');
    await until('the event is out', async () => (await events(document)).length === 1);
    expect((await actsOf(payment)).map(({ admin_id, action }) => [admin_id, action])).toEqual([
      [meera?.adminId, 'reversal.requested'],
      [arjun?.adminId, 'reversal.confirmed'],
    ]);
  });

  it('has one outcome if it is confirmed and declined at the same time', async () => {
    const { payment } = await paid({ rupeesADay: 10 });
    const id = (await reverse(meera, payment)).body.reversal_id;
    const answers = await Promise.all([confirm(arjun, id), decline(meera, id), confirm(arjun, id)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [row] = await reversalsOf(payment);
    const given = api.wallet.reversals.has(`payment:${payment}`);
    expect(row?.state).toBe(given ? 'done' : 'declined');
  });

  it('is declined with a reason; the payment stays paid, and another request is possible', async () => {
    const { payment } = await paid({ rupeesADay: 10 });
    const id = (await reverse(meera, payment)).body.reversal_id;
    expect(await blockers()).toEqual(['reversal_under_way']);
    const declined = await decline(arjun, id);
    expect(await blockers()).toEqual([]);
    expect([declined.status, declined.body]).toEqual([
      200,
      expect.objectContaining({ state: 'declined', decline_reason: 'The charge was right' }),
    ]);
    expect((await confirm(arjun, id)).body.code).toBe('reversal_not_waiting');
    expect((await rowOf(payment)).status).toBe('completed');
    expect(balance(asha)).toBe(100_000 - 3_500);
    expect((await reverse(arjun, payment)).body.state).toBe('requested');
  });

  it('is enforced by the database too: two different admins, and no change of the request', async () => {
    const { payment } = await paid({ rupeesADay: 10 });
    const id = (await reverse(meera, payment)).body.reversal_id;
    const set = (change: object) =>
      database().updateTable('reversals').set(change).where('id', '=', id).execute();
    const now = new Date();
    await expect(set({ state: 'decided', confirmed_by: meera?.adminId, decided_at: now })).rejects.toThrow(
      'reversals_another_admin',
    );
    await expect(set({ state: 'decided', decided_at: now })).rejects.toThrow('reversals_two_people');
    await expect(set({ two_people: false })).rejects.toThrow('permission denied');
    await expect(set({ amount_paise: 1 })).rejects.toThrow('permission denied');
    await expect(database().deleteFrom('reversals').where('id', '=', id).execute()).rejects.toThrow(
      'permission denied',
    );
  });
});

describe('failures', () => {
  it("while the wallet is down it stays decided and blocks the deletion of the payer's account, until the sweeper finishes it", async () => {
    const { document, payment } = await paid();
    await api.wallet.stop();
    const answer = await reverse(meera, payment);
    expect([answer.status, answer.body.state]).toEqual([201, 'decided']);
    expect((await rowOf(payment)).status).toBe('completed');
    expect(await blockers()).toEqual(['reversal_under_way']);
    // The money is not back yet, so the share counts as paid.
    const stop = () =>
      api.world.ask(paymentsRpc.stopCharge, { document_id: document, version: 1 }, 'documents');
    expect((await stop()).taken).toEqual([{ user_id: asha.userId, amount_paise: 350, state: 'paid' }]);
    await api.wallet.start();
    await isReversed(payment);
    expect(balance(asha)).toBe(100_000);
    await until('the event is out', async () => (await events(document)).length === 1);
    expect((await api.distribute(asha, document, [[vikram, 100]])).status).toBe(200);
    expect((await stop()).taken).toEqual([]);
    expect(await blockers()).toEqual([]);
  });

  it.each(['crash', 'lost'] as const)(
    'between credit and record (%s) it is credited exactly once',
    async (how) => {
      const { document, payment } = await paid();
      api.wallet.nextReversals.push(how, how);
      expect((await reverse(meera, payment)).body.state).toBe('decided');
      await isReversed(payment);
      expect(balance(asha)).toBe(100_000);
      await until('the event is out', async () => (await events(document)).length > 0);
      expect(await events(document)).toHaveLength(1);
      const [row] = await reversalsOf(payment);
      expect(row?.transfer_id).toBe(api.wallet.reversals.get(`payment:${payment}`)?.transfer_id);
    },
  );

  it('a late answer to a debit does not change a reversed payment to paid', async () => {
    const { document, payment } = await paid();
    const transfer = (await rowOf(payment)).transfer_id ?? '';
    await reverse(meera, payment);
    const late = { payment: { id: payment, document_id: document }, transferId: transfer, traceparent: null };
    expect(await completePayments(database(), [late])).toMatchObject([{ status: 'reversed' }]);
    await until('the event is out', async () => (await events(document)).length > 0);
    expect(
      (await api.events(document)).filter(({ type }) => type === 'payments.payment.completed'),
    ).toHaveLength(1);
  });

  it("if the payer's account was deleted, the money goes to the remaining wallet", async () => {
    const { payment } = await paid();
    await api.world.deleteUser(asha);
    expect((await reverse(meera, payment)).body.state).toBe('done');
    expect(balance(asha)).toBe(100_000);
  });
});

describe('refuses', () => {
  it('a payment that is not paid or does not exist, and a request without a reason', async () => {
    const document = api.document([asha, vikram]);
    await api.distribute(asha, document, [[asha, 100]]);
    const opened = await api.call(asha, 'POST', '/payments/create', { document_id: document });
    const pending = String(opened.body['_id']);
    expect((await reverse(meera, pending)).body.code).toBe('payment_not_reversible');
    api.wallet.balances.set(asha.userId, 0);
    expect((await api.pay(asha, document)).status).toBe(402);
    expect((await reverse(meera, pending)).body.code).toBe('payment_not_reversible');
    for (const unknown of [randomUUID(), 'nothing']) expect((await reverse(meera, unknown)).status).toBe(404);
    for (const unknown of [randomUUID(), 'nothing'])
      expect([(await confirm(meera, unknown)).status, (await decline(meera, unknown)).status]).toEqual([
        404, 404,
      ]);
    api.wallet.balances.set(asha.userId, 1_000);
    const { payment } = await paid();
    for (const body of [{}, { reason: 'too short' }, { reason: 'x'.repeat(501) }])
      expect((await reverse(meera, payment, body)).status).toBe(422);
    expect(await reversalsOf(payment)).toEqual([]);
  });

  it('everyone but a super-admin with an existing account and session', async () => {
    const { payment } = await paid({ rupeesADay: 10 });
    const id = (await reverse(meera, payment)).body.reversal_id;
    const other = await paid();
    const acts = (caller: { headers: { authorization: string } } | undefined) =>
      Promise.all([
        api.call(caller, 'POST', `/admin/payments/${other.payment}/reversals`, { reason }),
        api.call(caller, 'POST', `/admin/payments/reversals/${id}/confirm`),
        api.call(caller, 'POST', `/admin/payments/reversals/${id}/decline`, { reason }),
      ]).then((answers) => answers.map(({ status }) => status));
    const all = (status: number) => [status, status, status];
    expect(await acts(undefined)).toEqual(all(401));
    // The payer, another party, and admins with other roles.
    for (const caller of [asha, vikram]) expect(await acts(caller)).toEqual(all(403));
    for (const role of ['support', 'editor'] as const)
      expect(await acts({ headers: await api.world.adminHeaders(role) })).toEqual(all(403));
    const [blocked, removed] = [await api.world.addAdmin(), await api.world.addAdmin()];
    api.world.endSession(blocked);
    expect(await acts(blocked)).toEqual(all(401));
    // The token of a removed admin is valid for a moment longer, the account is not.
    api.world.removeAdmin(removed);
    expect(await acts(removed)).toEqual(all(403));
    expect((await reversalsOf(payment)).map(({ state }) => state)).toEqual(['requested']);
    expect(await reversalsOf(other.payment)).toEqual([]);
    expect((await api.call(asha, 'GET', '/admin/payments/reversals')).status).toBe(403);
  });
});

it('lists reversals newest first in pages, and sums them', async () => {
  const payments = [await paid(), await paid()];
  for (const { payment } of payments) await reverse(meera, payment);
  const page = async (query: string) =>
    (
      await api.call<{ items: Reversal[]; next_cursor: string | null }>(
        meera,
        'GET',
        `/admin/payments/reversals?${query}`,
      )
    ).body;
  const first = await page('state=done&limit=1');
  const second = await page(`state=done&limit=1&cursor=${String(first.next_cursor)}`);
  expect([first, second].map(({ items }) => items[0]?.payment_id)).toEqual(
    payments.map(({ payment }) => payment).reverse(),
  );
  expect((await api.call(meera, 'GET', '/admin/payments/reversals?cursor=nothing')).status).toBe(422);
  // A reversed payment counts only as reversed: neither in the volume, nor on the day on which it was paid.
  type Sum = { amount: number; count: number };
  const totals = await api.call<Record<'reversed' | 'volume', Sum> & { by_day: Sum[] }>(
    meera,
    'GET',
    '/admin/payments/totals?days=30',
  );
  const rowsOf = (status: 'reversed' | 'completed') =>
    database().selectFrom('payments').select('amount_paise').where('status', '=', status).execute();
  const sumOf = (rows: { amount_paise: number }[]): Sum => ({
    amount: rows.reduce((sum, { amount_paise }) => sum + amount_paise, 0) / 100,
    count: rows.length,
  });
  const reversed = await rowsOf('reversed');
  const completed = sumOf(await rowsOf('completed'));
  expect(totals.body).toMatchObject({ reversed: sumOf(reversed), volume: completed });
  expect(totals.body.by_day).toMatchObject([completed]);
  const list = await api.call<unknown[]>(meera, 'GET', '/admin/payments?status=reversed');
  expect(list.body).toHaveLength(reversed.length);
});
