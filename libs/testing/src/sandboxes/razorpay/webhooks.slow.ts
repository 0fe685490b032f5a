import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  KEYS,
  postJson,
  startReceiver,
  startSandbox,
  type Receiver,
  type TestSandbox,
} from '../testing/sandbox.ts';

let receiver: Receiver;
let sandbox: TestSandbox;

beforeEach(async () => {
  receiver = await startReceiver();
  sandbox = await startSandbox({ webhookUrl: receiver.url });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

async function orderAt(url: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`;
  const { body } = await postJson(`${url}/v1/orders`, { amount: 10_000, currency: 'INR' }, { authorization });
  return String(body.id);
}

async function pay(outcome = 'success', url = sandbox.url): Promise<string> {
  const { body } = await postJson(`${url}/dev/razorpay/pay`, { order_id: await orderAt(url), outcome });
  return String(body.razorpay_payment_id);
}

const mode = (body: object) => postJson(`${sandbox.url}/dev/razorpay/mode`, body);
const names = () => receiver.received.map(({ event }) => event.event);
const ids = () => receiver.received.map(({ headers }) => headers['x-razorpay-event-id']);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Resolves when a sandbox has recorded the successful delivery of a webhook. */
async function taken(url = sandbox.url): Promise<void> {
  for (;;) {
    const tries = (await (await fetch(`${url}/dev/razorpay/webhooks`)).json()) as { outcome: unknown }[];
    if (tries.some(({ outcome }) => outcome === 200)) return;
    await pause(10);
  }
}

describe('webhooks', () => {
  it('report a captured payment and the paid order, signed, each with its own id', async () => {
    const paymentId = await pay();
    await receiver.arrived(2);
    expect(names().sort()).toEqual(['order.paid', 'payment.captured']);
    expect(new Set(ids()).size).toBe(2);
    for (const { genuine, event, headers } of receiver.received) {
      expect(genuine).toBe(true);
      expect(headers['content-type']).toBe('application/json');
      expect(event).toMatchObject({
        entity: 'event',
        contains: expect.arrayContaining(['payment']),
        payload: { payment: { entity: { id: paymentId, amount: 10_000, status: 'captured' } } },
      });
    }
    await pause(300);
    expect(receiver.received).toHaveLength(2);
  });

  it('report a failed payment', async () => {
    const paymentId = await pay('failure');
    const [only] = await receiver.arrived(1);
    expect(only?.event).toMatchObject({
      event: 'payment.failed',
      payload: { payment: { entity: { id: paymentId, status: 'failed' } } },
    });
  });

  it('are repeated with the same id until the response is 2xx', async () => {
    receiver.answer = 503;
    await pay('failure');
    await receiver.arrived(2);
    receiver.answer = 200;
    await taken();
    const count = receiver.received.length;
    expect(count).toBeGreaterThanOrEqual(3);
    expect(new Set(ids()).size).toBe(1);
    await pause(300);
    expect(receiver.received).toHaveLength(count);
  });

  it('arrive twice with one id in the duplicate mode', async () => {
    await mode({ mode: 'duplicate', times: 1 });
    await pay('failure');
    await receiver.arrived(2);
    expect(new Set(ids()).size).toBe(1);
    await pay('failure');
    await receiver.arrived(3);
    await pause(200);
    expect(receiver.received).toHaveLength(3);
  });

  it('arrive after the delay in the late mode', async () => {
    await mode({ mode: 'late', delay_ms: 500 });
    const started = Date.now();
    await pay('failure');
    const [only] = await receiver.arrived(1);
    expect(only!.at - started).toBeGreaterThanOrEqual(490);
  });

  it('arrive in reverse order in the reordered mode', async () => {
    await mode({ mode: 'reordered', delay_ms: 200 });
    await pay();
    await receiver.arrived(2);
    expect(names()).toEqual(['order.paid', 'payment.captured']);
  });

  it('contain another amount than was signed in the tampered mode, and the true one afterwards', async () => {
    await mode({ mode: 'tampered', times: 1 });
    receiver.answer = 400;
    await pay('failure');
    const [first] = await receiver.arrived(1);
    expect(first).toMatchObject({
      genuine: false,
      event: { payload: { payment: { entity: { amount: 1_000_000 } } } },
    });
    receiver.answer = 200;
    const [, second] = await receiver.arrived(2);
    expect(second).toMatchObject({
      genuine: true,
      event: { payload: { payment: { entity: { amount: 10_000 } } } },
    });
  });

  it('arrive byte by byte in the slow mode', async () => {
    await mode({ mode: 'slow', delay_ms: 500 });
    await pay('failure');
    const [only] = await receiver.arrived(1);
    expect(only!.tookMs).toBeGreaterThanOrEqual(350);
    expect(only!.genuine).toBe(true);
  });

  it('are interrupted in the reset mode, and arrive whole afterwards', async () => {
    await mode({ mode: 'reset', times: 1 });
    await pay('failure');
    const [only] = await receiver.arrived(1);
    expect(receiver.broken).toBe(1);
    expect(only!.genuine).toBe(true);
  });

  it('are lost in the off mode', async () => {
    await mode({ mode: 'off' });
    await pay();
    await pause(300);
    expect(receiver.received).toEqual([]);
  });

  it('are listed for tests', async () => {
    await pay('failure');
    const [only] = await receiver.arrived(1);
    await taken();
    expect(await (await fetch(`${sandbox.url}/dev/razorpay/webhooks`)).json()).toEqual([
      {
        event_id: only!.headers['x-razorpay-event-id'],
        event: 'payment.failed',
        mode: 'normal',
        outcome: 200,
        at: expect.any(String),
      },
    ]);
  });

  it('reject an unknown mode', async () => {
    for (const body of [
      {},
      { mode: 'weird' },
      { mode: 'error' },
      { mode: 'late', delay_ms: -1 },
      { mode: 'late', times: 0 },
    ])
      expect(await mode(body)).toMatchObject({
        status: 422,
        body: { code: 'validation', detail: expect.any(String) },
      });
  });

  it('that a process did not deliver are delivered by the next, once', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'karaar-sandbox-'));
    const deaf = await startSandbox({ stateDir, webhookUrl: 'http://127.0.0.1:1/nobody' });
    await pay('failure', deaf.url);
    await pause(50);
    await deaf.close();
    expect(receiver.received).toEqual([]);
    const next = await startSandbox({ stateDir, webhookUrl: receiver.url });
    await taken(next.url);
    await next.close();
    const last = await startSandbox({ stateDir, webhookUrl: receiver.url });
    await pause(300);
    await last.close();
    expect(receiver.received).toHaveLength(1);
    await rm(stateDir, { recursive: true, force: true });
  });
});
