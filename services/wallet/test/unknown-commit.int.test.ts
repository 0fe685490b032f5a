/**
 * The database connection dies after COMMIT is sent and before its answer: the caller does not know the
 * outcome and tries again.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Payment, ProviderRefund } from '@karaar/testing/providers/razorpay';
import { commitOf, databaseProxy, type Lost } from '@karaar/testing/servers/proxy';
import type { WorldUser } from '@karaar/testing/service-world';
import { debitOf, startApi, type Api, type Answer } from './api.ts';
import { systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

let api: Api;
let proxy: Awaited<ReturnType<typeof databaseProxy>>;
let user: WorldUser;
let payment: Payment;

beforeAll(async () => {
  api = await startApi('wallet-unknown-commit', async (env) => {
    proxy = await databaseProxy(env['DATABASE_URL'] ?? '');
    return { DATABASE_URL: proxy.url };
  });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await proxy.close();
});
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
  payment = api.razorpay.pay(await api.order(user, 500), { amount: 51_180, fee: 1_180 });
});
afterEach(() => api.sound());

const verify = () => api.verify(user, api.razorpay.checkoutOf(payment));

/**
 * Repeats the request until it succeeds or is refused; the answer to the first such commit is lost. Returns
 * the statuses.
 */
async function askedThrough(lost: Lost, ask: () => Promise<Answer>): Promise<number[]> {
  const { happened } = proxy.fail({ kind: 'answer', to: lost });
  const answers: number[] = [];
  while (answers.length < 5 && (answers.at(-1) ?? 500) >= 500) answers.push((await ask()).status);
  await happened;
  return answers;
}

it('books a top-up and the fee on top once', async () => {
  const before = await systemBalance(api, 'card_fees');
  const answers = await askedThrough({ saying: 'commit\0', after: 'ledger_inside' }, verify);
  expect(answers.at(-1)).toBe(200);
  expect([await api.balance(user), (await systemBalance(api, 'card_fees')) - before]).toEqual([500, 1_180]);
});

it('books a full refund once, with the fee from the account of fees', async () => {
  await verify();
  const before = await systemBalance(api, 'card_fees');
  const refund: ProviderRefund = {
    ...{ id: `rfnd_${randomUUID().replaceAll('-', '')}`, payment_id: payment.id, amount: 51_180 },
    ...{ receipt: null, status: 'processed' },
  };
  api.razorpay.refunds.push(refund);
  const webhook = api.razorpay.webhookOf('refund.processed', { refund });
  const answers = await askedThrough(commitOf('refunds'), () => api.deliver(webhook));
  expect(answers.at(-1)).toBe(200);
  expect([await api.balance(user), (await systemBalance(api, 'card_fees')) - before]).toEqual([0, -1_180]);
});

it('gives a rest up once', async () => {
  await verify();
  await api.debit(debitOf(user, 499.6));
  const before = await systemBalance(api, 'given_up');
  const body = { amount: 0.4, idempotency_key: randomUUID() };
  const lost = { saying: 'commit\0', after: 'FROM disputes WHERE user_id' };
  const answers = await askedThrough(lost, () => api.call(user, 'POST', '/wallet/give-up', body));
  expect(answers.at(-1)).toBe(200);
  expect([await api.balance(user), (await systemBalance(api, 'given_up')) - before]).toEqual([0, 40]);
});
