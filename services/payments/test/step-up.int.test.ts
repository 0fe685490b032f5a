/**
 * Payments above the limit of a user who has a passkey are confirmed, each by one grant; other users pay as
 * before.
 */
import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

const LIMIT = 500_000;

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  api = await startApi('payments-step-up');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram] = [await api.user('Asha Rao', 100_000), await api.user('Vikram Shah', 100_000)];
  api.documents.stepUps.standings.set(asha.userId, 'keys');
});

async function documentOf(paise: number): Promise<string> {
  const day = '2026-03-01';
  const id = api.document([asha, vikram], { daily_rate_paise: paise, start_date: day, end_date: day });
  expect((await api.distribute(asha, id, [[asha, 100]])).status).toBe(200);
  return id;
}
const act = (document_id: string, amount_paise = LIMIT + 100) =>
  ({ action: 'pay', document_id, amount_paise }) as const;
const grant = (id: string, amount?: number, user = asha) =>
  api.documents.stepUps.grant(user.userId, act(id, amount));
const pay = (id: string, headers: Record<string, string> = {}, user = asha) =>
  api.call(user, 'POST', `/payments/document/${id}/pay`, {}, headers);
const debited = (id: string) => [...api.wallet.debits.values()].filter((debit) => debit.reference === id);

it('requires the passkey above the limit only, and pays with its grant', async () => {
  expect((await pay(await documentOf(LIMIT))).status).toBe(200);
  const id = await documentOf(LIMIT + 100);
  const refused = await pay(id);
  expect([refused.status, refused.body['code']]).toEqual([403, 'step_up_required']);
  expect(debited(id)).toEqual([]);
  const paid = await pay(id, await grant(id));
  expect([paid.status, paid.body['status'], paid.body['amount']]).toEqual([200, 'completed', 5_001]);
  // Repeating the request, as after a lost answer, needs no other grant, because the payment is completed.
  expect((await pay(id)).status).toBe(200);
  expect(debited(id)).toHaveLength(1);
});

it('requires nothing from a user without a passkey', async () => {
  api.documents.stepUps.standings.delete(asha.userId);
  expect((await pay(await documentOf(LIMIT + 100))).status).toBe(200);
});

it('compares the payer’s own share with the limit, not the total', async () => {
  const day = '2026-03-01';
  const id = api.document([asha, vikram], { daily_rate_paise: LIMIT + 100, start_date: day, end_date: day });
  await api.distribute(asha, id, [
    [asha, 60],
    [vikram, 40],
  ]);
  expect((await pay(id)).status).toBe(200);
});

it('cannot be bypassed by creating and confirming the payment', async () => {
  const id = await documentOf(LIMIT + 100);
  const created = await api.call(asha, 'POST', '/payments/create', { document_id: id });
  expect(created.status).toBe(201);
  const confirm = (headers = {}) =>
    api.call(asha, 'PUT', `/payments/${String(created.body['_id'])}/confirm`, undefined, headers);
  expect((await confirm()).body['code']).toBe('step_up_required');
  expect((await confirm(await grant(id, LIMIT))).body['code']).toBe('step_up_refused');
  expect(debited(id)).toEqual([]);
  expect((await confirm(await grant(id))).body['status']).toBe('completed');
});

it.each<[string, (id: string) => Promise<Record<string, string>>]>([
  ['another amount', (id) => grant(id, LIMIT + 101)],
  ['another document', async () => grant(await documentOf(LIMIT + 100))],
  ['another user', (id) => grant(id, undefined, vikram)],
  ['another act', () => api.documents.stepUps.grant(asha.userId, { action: 'export' })],
  [
    'a key that documents does not have',
    (id) => api.documents.stepUps.grant(asha.userId, act(id), { forged: true }),
  ],
  ['no signature', async (id) => cut(await grant(id))],
  ['the session’s own token', () => Promise.resolve(headerOf(asha.headers.authorization.slice(7)))],
  ['nothing', () => Promise.resolve(headerOf(''))],
])('refuses a grant of %s, and moves no money', async (_, make) => {
  const id = await documentOf(LIMIT + 100);
  const { status, body } = await pay(id, await make(id));
  expect([status, body['code']]).toEqual([403, 'step_up_refused']);
  expect(debited(id)).toEqual([]);
});

const headerOf = (grant: string) => ({ 'step-up-grant': grant });
const cut = ({ 'step-up-grant': whole }: { 'step-up-grant': string }) =>
  headerOf(`${whole.split('.').slice(0, 2).join('.')}.`);

it('refuses a grant after two minutes', async () => {
  const id = await documentOf(LIMIT + 100);
  const late = await api.documents.stepUps.grant(asha.userId, act(id), { agoS: 125 });
  expect((await pay(id, late)).body['code']).toBe('step_up_refused');
  expect(debited(id)).toEqual([]);
});

it('accepts a grant once: after a failed payment the next one needs another grant', async () => {
  const id = await documentOf(LIMIT + 100);
  const used = await grant(id);
  api.wallet.balances.set(asha.userId, 0);
  expect((await pay(id, used)).status).toBe(402);
  api.wallet.balances.set(asha.userId, 1_000_000);
  expect((await pay(id, used)).body['code']).toBe('step_up_refused');
  expect(debited(id)).toEqual([]);
  expect((await pay(id, await grant(id))).status).toBe(200);
});

it('accepts a grant once when it comes many times at once', async () => {
  const id = await documentOf(LIMIT + 100);
  const used = await grant(id);
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(id, used)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(debited(id)).toHaveLength(1);
});

it('pays nothing above the limit during the waiting time after the last passkey was removed', async () => {
  api.documents.stepUps.standings.set(asha.userId, 'waiting');
  const id = await documentOf(LIMIT + 100);
  const { status, body } = await pay(id, await grant(id));
  expect([status, body['code']]).toEqual([409, 'step_up_waiting']);
  expect(String(body['detail'])).toMatch(/1 Jan 2099/);
  expect(debited(id)).toEqual([]);
});
