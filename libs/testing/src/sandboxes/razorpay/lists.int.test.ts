import { KEYS, postJson, startSandbox, type TestSandbox } from '../testing/sandbox.ts';
import { indianDay } from './settlements.ts';

type Rows = { items: Record<string, unknown>[] };
let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const authorization = `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`;
const get = async (path: string) => {
  const answer = await fetch(`${sandbox.url}${path}`, { headers: { authorization } });
  return { status: answer.status, body: (await answer.json()) as Rows & { error?: { description: string } } };
};
const pay = async (change: object = {}) => {
  const { body } = await postJson(
    `${sandbox.url}/v1/orders`,
    { amount: 10_000, currency: 'INR' },
    { authorization },
  );
  const paid = await postJson(`${sandbox.url}/dev/razorpay/pay`, { order_id: body['id'], ...change });
  return String(paid.body['razorpay_payment_id']);
};

it('lists payments, refunds and disputes newest first, by page and by time', async () => {
  const payments = [await pay(), await pay({ amount: 12_300 }), await pay({ outcome: 'failure' })];
  const all = await get('/v1/payments');
  expect(all.body.items.map(({ id, amount, status }) => [id, amount, status])).toEqual([
    [payments[2], 10_000, 'failed'],
    [payments[1], 12_300, 'captured'],
    [payments[0], 10_000, 'captured'],
  ]);
  expect((await get('/v1/payments?count=1&skip=2')).body.items).toMatchObject([{ id: payments[0] }]);
  expect((await get(`/v1/payments?to=${Math.floor(Date.now() / 1_000) - 60}`)).body.items).toEqual([]);
  expect(await get('/v1/payments?count=101')).toMatchObject({ status: 400 });

  const refund = await postJson(`${sandbox.url}/dev/razorpay/refunds`, {
    payment_id: payments[0],
    amount: 500,
  });
  const dispute = await postJson(`${sandbox.url}/dev/razorpay/disputes`, { payment_id: payments[1] });
  expect((await get('/v1/refunds')).body.items).toMatchObject([{ id: refund.body['id'], amount: 500 }]);
  expect((await get('/v1/disputes')).body.items).toMatchObject([{ id: dispute.body['id'] }]);
  expect((await get(`/v1/refunds/${String(refund.body['id'])}`)).body).toMatchObject({ amount: 500 });
  expect((await get(`/v1/disputes/${String(dispute.body['id'])}`)).body).toMatchObject({ amount: 12_300 });
  expect(await get('/v1/refunds/rfnd_nothing')).toMatchObject({ status: 400 });
});

it('settles captured payments, less fees and refunds, once', async () => {
  const payment = await pay();
  await postJson(`${sandbox.url}/dev/razorpay/refunds`, { payment_id: payment, amount: 500 });
  const at = Math.floor(Date.now() / 1_000) - 86_400;
  const settle = () => postJson(`${sandbox.url}/dev/razorpay/settlements`, { at });
  expect((await settle()).body).toMatchObject({ amount: 10_000 - 236 - 500, created_at: at });
  expect((await settle()).body).toMatchObject({ amount: 0 });
  expect((await get('/v1/settlements')).body.items).toMatchObject([{ amount: 9_264, status: 'processed' }]);
  const [year, month, day] = indianDay(at).split('-').map(Number);
  const { body } = await get(
    `/v1/settlements/recon/combined?year=${year}&month=${month}&day=${day}&count=1000`,
  );
  expect(body.items).toMatchObject([
    { entity_id: payment, type: 'payment', credit: 9_764, debit: 0, fee: 236 },
    { type: 'refund', credit: 0, debit: 500, payment_id: payment },
  ]);
  expect((await get('/v1/settlements/recon/combined?year=2001&month=1&day=1')).body.items).toEqual([]);
});
