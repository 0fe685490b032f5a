import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, appendFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type RazorpayClient from 'razorpay';
import { KEYS, postJson, startSandbox, type TestSandbox } from '../testing/sandbox.ts';

// The provider's own SDK, as the product uses it, checks that the sandbox speaks the provider's protocol.
const Razorpay = createRequire(import.meta.url)('razorpay') as typeof RazorpayClient & {
  validateWebhookSignature(body: string, signature: string, secret: string): boolean;
};

let sandbox: TestSandbox;
let client: RazorpayClient;

function clientOf(url: string, secret = KEYS.keySecret): RazorpayClient {
  const made = new Razorpay({ key_id: KEYS.keyId, key_secret: secret });
  // The SDK does not declare its HTTP client.
  const { rq } = (made as unknown as { api: { rq: { defaults: { baseURL: string; timeout: number } } } }).api;
  rq.defaults.baseURL = url;
  rq.defaults.timeout = 1_000;
  return made;
}

beforeEach(async () => {
  sandbox = await startSandbox();
  client = clientOf(sandbox.url);
});
afterEach(() => sandbox.close());

const order = (amount = 50_000) =>
  client.orders.create({ amount, currency: 'INR', receipt: 'topup-1', notes: { user: 'u1' } });
const pay = (order_id: string, outcome?: string) =>
  postJson(`${sandbox.url}/dev/razorpay/pay`, { order_id, outcome });

describe('orders', () => {
  it('are created and read with the provider’s SDK, in its shape', async () => {
    const made = await order();
    expect(made).toEqual({
      id: expect.stringMatching(/^order_[0-9A-Za-z]{14}$/),
      entity: 'order',
      amount: 50_000,
      amount_paid: 0,
      amount_due: 50_000,
      currency: 'INR',
      receipt: 'topup-1',
      offer_id: null,
      status: 'created',
      attempts: 0,
      notes: { user: 'u1' },
      created_at: expect.any(Number),
    });
    expect(await client.orders.fetch(made.id)).toEqual(made);
    expect((await client.orders.all({ receipt: 'topup-1' })).items).toEqual([made]);
    expect(await client.orders.fetchPayments(made.id)).toEqual({ entity: 'collection', count: 0, items: [] });
  });

  it('are rejected as the provider rejects them, at either address', async () => {
    for (const [body, description] of [
      [{ currency: 'INR' }, 'The amount field is required.'],
      [{ amount: 99, currency: 'INR' }, 'Order amount less than minimum amount allowed'],
      [{ amount: 100.5, currency: 'INR' }, 'The amount must be an integer.'],
      [{ amount: '1e5', currency: 'INR' }, 'The amount must be an integer.'],
      [{ amount: 100 }, 'The currency field is required.'],
      [{ amount: 100, currency: 'EUR' }, 'Currency is not supported'],
      [
        { amount: 100, currency: 'INR', receipt: 'r'.repeat(41) },
        'The receipt may not be greater than 40 characters.',
      ],
      [[], 'The amount field is required.'],
    ] as const)
      for (const base of [sandbox.url, `${sandbox.url}/sandbox/razorpay`]) {
        const authorization = `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`;
        const answer = await postJson(`${base}/v1/orders`, body, { authorization });
        expect(answer.status).toBe(400);
        expect(answer.body.error).toMatchObject({ code: 'BAD_REQUEST_ERROR', description });
      }
    await expect(client.orders.fetch('order_nothing')).rejects.toMatchObject({
      statusCode: 400,
      error: { code: 'BAD_REQUEST_ERROR', description: 'The id provided does not exist' },
    });
  });

  it('need the keys', async () => {
    await expect(clientOf(sandbox.url, 'wrong').orders.fetch('x')).rejects.toMatchObject({
      statusCode: 401,
      error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' },
    });
    for (const path of [
      '/v1/orders',
      '/v1/orders/x',
      '/v1/orders/x/payments',
      '/v1/payments/x',
      '/sandbox/razorpay/v1/orders',
    ])
      expect((await fetch(sandbox.url + path)).status).toBe(401);
    expect((await postJson(`${sandbox.url}/v1/payments/x/refund`, {})).status).toBe(401);
  });
});

describe('payments', () => {
  it('are captured with a signature over order and payment, and pay the order', async () => {
    const { id } = await order();
    const { status, body } = await pay(id, 'success');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['razorpay_order_id', 'razorpay_payment_id', 'razorpay_signature']);
    const signed = `${id}|${String(body.razorpay_payment_id)}`;
    expect(body.razorpay_signature).toBe(createHmac('sha256', KEYS.keySecret).update(signed).digest('hex'));
    expect(Razorpay.validateWebhookSignature(signed, String(body.razorpay_signature), KEYS.keySecret)).toBe(
      true,
    );
    expect(await client.orders.fetch(id)).toMatchObject({
      status: 'paid',
      amount_paid: 50_000,
      amount_due: 0,
      attempts: 1,
    });
    const payment = await client.payments.fetch(String(body.razorpay_payment_id));
    expect(payment).toMatchObject({
      entity: 'payment',
      amount: 50_000,
      status: 'captured',
      captured: true,
      order_id: id,
      notes: { user: 'u1' },
      fee: 1_180,
      tax: 180,
      error_code: null,
    });
    expect((await client.orders.fetchPayments(id)).items).toEqual([payment]);
  });

  it('may fail without a signature, and be retried until one is captured', async () => {
    const { id } = await order();
    const failed = await pay(id, 'failed');
    expect(failed.body).toMatchObject({ razorpay_order_id: id, razorpay_signature: null });
    expect(await client.orders.fetch(id)).toMatchObject({ status: 'attempted', amount_paid: 0, attempts: 1 });
    expect(await client.payments.fetch(String(failed.body.razorpay_payment_id))).toMatchObject({
      status: 'failed',
      captured: false,
      error_code: 'BAD_REQUEST_ERROR',
      error_reason: 'payment_failed',
    });
    expect((await pay(id)).status).toBe(200);
    expect(await client.orders.fetchPayments(id)).toMatchObject({
      count: 2,
      items: [{ status: 'captured' }, { status: 'failed' }],
    });
    const again = await pay(id, 'success');
    expect(again).toEqual({ status: 400, body: { detail: 'Order already paid', code: 'bad_request' } });
  });

  it('are rejected for an unknown order or outcome', async () => {
    expect(await pay('order_nothing')).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect(await pay((await order()).id, 'maybe')).toMatchObject({
      status: 422,
      body: { code: 'validation' },
    });
    expect(await postJson(`${sandbox.url}/dev/razorpay/pay`, {})).toMatchObject({ status: 422 });
  });
});

describe('an account whose customers pay the fee', () => {
  const bear = (fee_bearer: string) => postJson(`${sandbox.url}/dev/razorpay/account`, { fee_bearer });
  afterEach(() => bear('platform'));

  it('adds it to the order’s amount, immediately and with a delay, and reports it', async () => {
    expect((await bear('customer')).status).toBe(200);
    for (const outcome of ['success', 'authorized']) {
      const made = await order();
      const id = String((await pay(made.id, outcome)).body.razorpay_payment_id);
      expect((await client.payments.fetch(id)).amount).toBe(51_180);
      if (outcome === 'authorized')
        await postJson(`${sandbox.url}/dev/razorpay/payments`, { payment_id: id, status: 'captured' });
      expect(await client.payments.fetch(id)).toMatchObject({ status: 'captured', fee: 1_180, tax: 180 });
      expect(await client.orders.fetch(made.id)).toMatchObject({ amount: 50_000, amount_paid: 50_000 });
      expect(await client.payments.refund(id, {})).toMatchObject({ amount: 51_180 });
    }
    await bear('platform');
    const id = String((await pay((await order()).id)).body.razorpay_payment_id);
    expect(await client.payments.fetch(id)).toMatchObject({ amount: 50_000, fee: 1_180 });
    expect((await bear('nobody')).status).toBe(422);
  });
});

describe('refunds', () => {
  it('return money in parts, never more than the payment', async () => {
    const { id } = await order();
    const paymentId = String((await pay(id)).body.razorpay_payment_id);
    expect(await client.payments.refund(paymentId, { amount: 20_000, receipt: 'r1' })).toMatchObject({
      id: expect.stringMatching(/^rfnd_/),
      entity: 'refund',
      amount: 20_000,
      payment_id: paymentId,
      receipt: 'r1',
      status: 'processed',
    });
    expect(await client.payments.fetch(paymentId)).toMatchObject({
      status: 'captured',
      refund_status: 'partial',
      amount_refunded: 20_000,
    });
    await expect(client.payments.refund(paymentId, { amount: 30_001 })).rejects.toMatchObject({
      error: { description: 'The total refund amount is greater than the refund payment amount' },
    });
    expect(await client.payments.refund(paymentId, {})).toMatchObject({ amount: 30_000 });
    expect(await client.payments.fetch(paymentId)).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
    });
    await expect(client.payments.refund(paymentId, {})).rejects.toMatchObject({
      error: { description: 'The payment has been fully refunded already' },
    });
    expect(await client.payments.fetchMultipleRefund(paymentId)).toMatchObject({
      items: [{ amount: 30_000 }, { amount: 20_000, receipt: 'r1' }],
    });
    const failed = String((await pay((await order()).id, 'failure')).body.razorpay_payment_id);
    await expect(client.payments.refund(failed, {})).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe('a misbehaving API', () => {
  const mode = (body: object) => postJson(`${sandbox.url}/dev/razorpay/mode`, { target: 'api', ...body });

  it('answers late, with an error, or not at all, as often as configured', async () => {
    await mode({ mode: 'slow', delay_ms: 300, times: 1 });
    const started = Date.now();
    await order();
    expect(Date.now() - started).toBeGreaterThanOrEqual(290);

    await mode({ mode: 'error', times: 1 });
    await expect(client.orders.fetch('x')).rejects.toMatchObject({
      statusCode: 500,
      error: { code: 'SERVER_ERROR' },
    });

    await mode({ mode: 'reset', times: 1 });
    await expect(fetch(`${sandbox.url}/v1/orders`)).rejects.toThrow('fetch failed');

    await order();
    expect(await (await fetch(`${sandbox.url}/dev/razorpay/mode`)).json()).toMatchObject({
      api: { mode: 'normal' },
    });
  });

  it('does not affect the test’s own calls', async () => {
    const { id } = await order();
    await mode({ mode: 'error' });
    expect((await pay(id)).status).toBe(200);
    expect((await mode({ mode: 'tampered' })).status).toBe(422);
    expect((await mode({ mode: 'normal' })).status).toBe(200);
    expect((await order()).status).toBe('created');
  });
});

describe('a restart', () => {
  let stateDir: string;
  beforeEach(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'karaar-sandbox-'));
  });
  afterEach(() => rm(stateDir, { recursive: true, force: true }));

  it('keeps orders, payments and refunds, also if the last line was truncated', async () => {
    const first = await startSandbox({ stateDir });
    const before = clientOf(first.url);
    const paid = await before.orders.create({ amount: 700, currency: 'INR' });
    const open = await before.orders.create({ amount: 800, currency: 'INR' });
    const { body } = await postJson(`${first.url}/dev/razorpay/pay`, { order_id: paid.id });
    await before.payments.refund(String(body.razorpay_payment_id), { amount: 100 });
    await first.close();
    await appendFile(join(stateDir, 'razorpay.jsonl'), '{"kind":"order","id":"order_cut","val');

    const second = await startSandbox({ stateDir });
    const after = clientOf(second.url);
    expect(await after.orders.fetch(paid.id)).toMatchObject({ status: 'paid', notes: [] });
    expect(await after.orders.fetch(open.id)).toEqual(open);
    expect(await after.payments.fetch(String(body.razorpay_payment_id))).toMatchObject({
      amount_refunded: 100,
    });
    await second.close();
    // After reading, the file has one line per object: two orders, a payment, a refund.
    const lines = (await readFile(join(stateDir, 'razorpay.jsonl'), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(4);
  });
});

describe('asynchronous behaviour of the provider', () => {
  const dev = (what: string, body: object) => postJson(`${sandbox.url}/dev/razorpay/${what}`, body);
  const paid = async (outcome?: string) =>
    String((await pay((await order()).id, outcome)).body.razorpay_payment_id);

  it('approves a payment and captures it later, or never', async () => {
    const [late, never] = [await paid('authorized'), await paid('authorized')];
    expect(await client.payments.fetch(late)).toMatchObject({ status: 'authorized', captured: false });
    await dev('payments', { payment_id: late, status: 'captured' });
    await dev('payments', { payment_id: never, status: 'failed' });
    const ended = await client.payments.fetch(late);
    expect(ended).toMatchObject({ status: 'captured', captured: true });
    expect(await client.orders.fetch(ended.order_id)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect(await client.payments.fetch(never)).toMatchObject({ status: 'failed', captured: false });
    expect((await dev('payments', { payment_id: never, status: 'captured' })).status).toBe(400);
  });

  it('accepts a refund first and completes or fails it later; a key has one refund', async () => {
    const payment = await paid();
    await dev('refunds', { takes: 'pending' });
    const headers = {
      authorization: `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`,
      'x-refund-idempotency': 'refund-1',
    };
    const ask = () => postJson(`${sandbox.url}/v1/payments/${payment}/refund`, { amount: 500 }, headers);
    const [first, again] = [await ask(), await ask()];
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({ status: 'pending', amount: 500 });
    expect(await client.payments.fetch(payment)).toMatchObject({ amount_refunded: 500 });
    const failed = await dev('refunds', { refund_id: first.body['id'], status: 'failed' });
    expect(failed.body).toMatchObject({ status: 'failed' });
    expect(await client.payments.fetch(payment)).toMatchObject({ amount_refunded: 0, status: 'captured' });
    const byHand = await dev('refunds', { payment_id: payment, amount: 700 });
    expect(byHand.body).toMatchObject({ status: 'pending', amount: 700, receipt: null });
    await dev('mode', { target: 'api', mode: 'busy', times: 1 });
    expect((await ask()).status).toBe(409);
  });

  it('receives disputes from banks', async () => {
    const payment = await paid();
    const { body } = await dev('disputes', { payment_id: payment });
    expect(body).toMatchObject({ status: 'open', amount: 50_000, amount_deducted: 0 });
    const lost = await dev('disputes', { dispute_id: body['id'], status: 'lost' });
    expect(lost.body).toMatchObject({ status: 'lost', amount_deducted: 50_000 });
  });
});
