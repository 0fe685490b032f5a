/** Admins settle exceptions: one proposes, another confirms, and the money moves once. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { PaymentException } from '@karaar/contracts/wallet/exceptions';
import { until } from '@karaar/testing/until';
import type { Payment } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { sweepCardRefunds } from '../src/features/exceptions/card-refunds.service.ts';
import { runIfDue } from '../src/features/reconciliation/worker.ts';
import { startApi, type Api } from './api.ts';
import { exceptionsOf, providersNet, systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

type Admin = { headers: { authorization: string } };
let api: Api;
let user: WorldUser;
let first: Admin;
let second: Admin;
let payment: Payment;
beforeAll(async () => {
  api = await startApi('wallet-exceptions-admin', { BOOKS_GRACE_S: '0' });
  first = { headers: await api.world.adminHeaders() };
  second = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  Object.assign(api.razorpay, { mode: 'normal', takesRefunds: 'processed', refusesRefunds: undefined });
  user = await api.world.addUser('Asha Rao');
  payment = api.razorpay.pay(await api.order(user, 100), { amount: 15_000 });
  await api.deliver(api.razorpay.webhook('payment.captured', payment));
});
afterEach(async () => {
  await api.sound();
  expect((await systemBalance(api, 'clearing')) + providersNet(api.razorpay)).toBe(0);
});

const BASE = '/admin/wallet/exceptions';
const REASON = 'The order was opened for a smaller amount';
const read = async (subject = payment.id): Promise<PaymentException> => {
  const { body } = await api.call(first, 'GET', `${BASE}?limit=200`);
  const found = (body['items'] as PaymentException[]).find((row) => row.subject === subject);
  if (!found) throw new Error(`${subject} is not listed`);
  return found;
};
const propose = (admin: Admin, row: PaymentException, resolution: string, change: object = {}) =>
  api.call(admin, 'POST', `${BASE}/${row.exception_id}/proposal`, {
    version: row.version,
    resolution,
    reason: REASON,
    ...change,
  });
const confirm = (admin: Admin, row: PaymentException) =>
  api.call(admin, 'POST', `${BASE}/${row.exception_id}/confirmation`, { version: row.version });
const decide = async (resolution: string, change: object = {}) => {
  expect(await propose(first, await read(), resolution, change)).toMatchObject({ status: 200 });
  return confirm(second, await read());
};
const acts = async (action: string) => {
  const { rows } = await sql<{ data: { reason: string; target_id: string } }>`
    SELECT data FROM outbox WHERE type = 'wallet.admin.acted' AND data ->> 'action' = ${action}
      AND data ->> 'target_id' = ${payment.id}`.execute(api.service.foundation.db);
  return rows.map(({ data }) => data.reason);
};

it("credits the wallet once, after a second admin has confirmed the first one's proposal", async () => {
  const row = await read();
  expect(row).toMatchObject({
    amount: 150,
    state: 'open',
    resolutions: expect.arrayContaining(['credit_user']),
  });
  expect((await propose(first, row, 'credit_user')).body).toMatchObject({
    state: 'proposed',
    credit_user_id: user.userId,
  });
  const proposed = await read();
  expect(await confirm(first, proposed)).toMatchObject({
    status: 409,
    body: { code: 'second_admin_needed' },
  });
  expect(await api.balance(user)).toBe(0);
  const answers = await Promise.all([confirm(second, proposed), confirm(second, proposed)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect([
    await api.balance(user),
    await acts('exception.proposed'),
    await acts('exception.confirmed'),
  ]).toEqual([150, [REASON], [REASON]]);
  // A late webhook does not credit it again, and a later run does not list it again.
  await api.deliver(api.razorpay.webhook('payment.captured', payment));
  await sql`UPDATE reconciliation SET next_at = now()`.execute(api.service.foundation.db);
  expect(await runIfDue(api.ctx)).toBe(true);
  expect([await api.balance(user), (await exceptionsOf(api, payment.id)).length]).toEqual([150, 1]);
});

it('confirms only the proposal that the admin has read, and not its replacement', async () => {
  await propose(first, await read(), 'credit_user');
  const seen = await read();
  await propose(first, seen, 'written_off');
  expect(await confirm(second, seen)).toMatchObject({ status: 409, body: { code: 'exception_changed' } });
  expect(await confirm(second, await read())).toMatchObject({
    status: 200,
    body: { resolution: 'written_off' },
  });
  expect(await confirm(second, await read())).toMatchObject({
    status: 409,
    body: { code: 'exception_resolved' },
  });
  expect(await api.balance(user)).toBe(0);
});

it('refuses unfit resolutions, users without an account, unknown ids and confirming without a proposal', async () => {
  expect(await confirm(second, await read())).toMatchObject({
    status: 409,
    body: { code: 'exception_not_proposed' },
  });
  expect((await propose(first, await read(), 'credit_user', { user_id: randomUUID() })).status).toBe(422);
  const refund = { id: 'rfnd_stranger', payment_id: 'pay_stranger', amount: 500, receipt: null };
  api.razorpay.refunds.push(refund);
  await api.deliver(
    api.razorpay.webhookOf('refund.processed', { refund: { ...refund, status: 'processed' } }),
  );
  expect(await propose(first, await read(refund.id), 'credit_user')).toMatchObject({
    status: 409,
    body: { code: 'resolution_unfit' },
  });
  const nobody = { ...(await read()), exception_id: randomUUID() };
  expect((await propose(first, nobody, 'written_off')).status).toBe(404);
  await propose(first, await read(), 'credit_user');
  await api.world.deleteUser(user);
  expect((await confirm(second, await read())).status).toBe(422);
});

it('sends a payment back to its card once, however often the provider fails meanwhile', async () => {
  api.razorpay.mode = 'error';
  expect(await decide('refund_card')).toMatchObject({ status: 200, body: { refund_state: 'asked' } });
  await sweepCardRefunds(api.ctx);
  // The clearing account books the refund before the provider makes it.
  api.razorpay.mode = 'forgetful';
  const again = () =>
    sql`UPDATE payment_exceptions SET next_check_at = now(), lease_until = NULL`.execute(
      api.service.foundation.db,
    );
  await again();
  await sweepCardRefunds(api.ctx);
  api.razorpay.mode = 'normal';
  await again();
  await sweepCardRefunds(api.ctx);
  const made = api.razorpay.refunds.filter(({ payment_id }) => payment_id === payment.id);
  expect(made).toMatchObject([{ amount: 15_000, status: 'processed' }]);
  expect(await read()).toMatchObject({ refund_state: 'done' });
  const [refund] = made;
  if (!refund) throw new Error('The provider has no refund');
  await api.deliver(api.razorpay.webhookOf('refund.processed', { refund }));
  expect(await exceptionsOf(api, refund.id)).toEqual([]);
});

it('opens an exception again if the provider refuses its refund for good, or the bank returns it', async () => {
  api.razorpay.refusesRefunds = { status: 400, description: 'The payment is older than six months' };
  await decide('refund_card');
  await sweepCardRefunds(api.ctx);
  expect(await read()).toMatchObject({ state: 'open', cause: 'refund_failed', proposed_by: null });
  api.razorpay.refusesRefunds = undefined;
  await decide('refund_card');
  await sweepCardRefunds(api.ctx);
  expect(await read()).toMatchObject({ refund_state: 'done' });
  const refund = api.razorpay.refunds.find(({ payment_id }) => payment_id === payment.id);
  if (!refund) throw new Error('The provider has no refund');
  refund.status = 'failed';
  await api.deliver(api.razorpay.webhookOf('refund.failed', { refund }));
  await api.deliver(api.razorpay.webhookOf('refund.failed', { refund }));
  expect(await read()).toMatchObject({ state: 'open', cause: 'refund_failed' });
  expect((await read()).resolutions).not.toContain('refund_card');
  expect(await decide('credit_user')).toMatchObject({ status: 200 });
  expect(await api.balance(user)).toBe(150);
});

it('lists exceptions in pages and by state', async () => {
  const page = async (query: string) => (await api.call(first, 'GET', `${BASE}?${query}`)).body;
  const one = await page('limit=1&state=open');
  expect(one['items']).toHaveLength(1);
  const next = await page(`limit=200&state=open&cursor=${String(one['next_cursor'])}`);
  expect((next['items'] as PaymentException[]).every(({ state }) => state === 'open')).toBe(true);
});

it('runs the comparison on request, and says so until it has ended', async () => {
  const started = await api.call(first, 'POST', '/admin/wallet/reconciliation');
  expect(started).toMatchObject({ status: 202, body: { running: true } });
  const read = () => api.call(first, 'GET', '/admin/wallet/reconciliation');
  await until('the comparison has ended', async () => (await read()).body['running'] === false);
  const completedAt = String((await read()).body['last_complete_at']);
  expect(completedAt >= String(started.body['next_at'])).toBe(true);
});

it.each(['support', 'editor'] as const)('is not for %s', async (role) => {
  const admin = { headers: await api.world.adminHeaders(role) };
  const row = await read();
  const answers = await Promise.all([
    api.call(admin, 'GET', BASE),
    propose(admin, row, 'written_off'),
    confirm(admin, row),
    api.call(admin, 'GET', '/admin/wallet/reconciliation'),
    api.call(admin, 'POST', '/admin/wallet/reconciliation'),
    api.call(user, 'GET', BASE),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  expect((await api.call(undefined, 'GET', BASE)).status).toBe(401);
});

it('does not credit a late payment of a deleted account', async () => {
  const order = await api.order(user, 100);
  await sql`UPDATE top_up_orders SET created_at = now() - interval '2 days' WHERE id = ${order}`.execute(
    api.service.foundation.db,
  );
  await api.world.deleteUser(user);
  const late = api.razorpay.pay(order);
  await api.deliver(api.razorpay.webhook('payment.captured', late));
  expect(await exceptionsOf(api, late.id)).toMatchObject([{ cause: 'owner_deleted', booked_paise: 10_000 }]);
});
