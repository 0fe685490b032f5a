import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'puppeteer-core';
import { launchChromium, type TestBrowser } from '../../servers/chromium.ts';
import { createSandboxes } from '../app.ts';
import { KEYS, postJson } from '../testing/sandbox.ts';

/** The gateway's policy for the product's pages: no inline script, no inline style sheet. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self' blob:; " +
  "frame-ancestors 'none'; base-uri 'none'; object-src 'none'";

const SHOP =
  '<!doctype html><title>Shop</title><button id="buy">Buy</button><script src="/shop.js"></script>';
/** Loads the checkout on demand, as the wallet page does, and records all callbacks. */
const SHOP_SCRIPT = `
  window.calls = [];
  document.getElementById('buy').addEventListener('click', () => {
    const script = document.createElement('script');
    script.src = '/sandbox/razorpay/v1/checkout.js';
    script.onload = () => {
      const checkout = new Razorpay({
        ...JSON.parse(new URLSearchParams(location.search).get('options')),
        handler: (result) => window.calls.push(['paid', result]),
        modal: { ondismiss: () => window.calls.push(['dismissed']) },
      });
      checkout.on('payment.failed', (answer) => window.calls.push(['failed', answer]));
      checkout.open();
    };
    document.head.append(script);
  });
`;

let app: FastifyInstance;
let url: string;
let chromium: TestBrowser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  app = await createSandboxes({
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:8080',
    razorpay: KEYS,
  });
  app.get('/shop', (_req, reply) =>
    reply.type('text/html').header('content-security-policy', POLICY).send(SHOP),
  );
  app.get('/favicon.ico', (_req, reply) => reply.code(204).send());
  app.get('/shop.js', (_req, reply) => reply.type('text/javascript').send(SHOP_SCRIPT));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  chromium = await launchChromium();
}, 60_000);

afterAll(async () => {
  await chromium.close();
  await app.close();
});

beforeEach(async () => {
  page = await chromium.browser.newPage();
  faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  // A rejected payment is a 400, which the browser's console reports too.
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('status of 400')) faults.push(line.text());
  });
});

afterEach(async () => {
  expect(faults).toEqual([]);
  await page.close();
});

async function newOrder(amount = 123_456): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`;
  const { body } = await postJson(`${url}/v1/orders`, { amount, currency: 'INR' }, { authorization });
  return String(body.id);
}

async function openCheckout(options: object): Promise<void> {
  const all = JSON.stringify({ key: KEYS.keyId, name: 'Karaar', amount: 1, currency: 'INR', ...options });
  await page.goto(`${url}/shop?options=${encodeURIComponent(all)}`);
  await page.click('#buy');
  await page.waitForSelector('>>> [role="dialog"]');
}

const press = (outcome: string) => page.locator(`>>> [data-outcome="${outcome}"]:not(:disabled)`).click();
const calls = () => page.evaluate('window.calls') as Promise<unknown[][]>;
async function called(count: number): Promise<unknown[][]> {
  await page.waitForFunction(`window.calls.length >= ${count}`);
  return calls();
}
const shown = () =>
  page.evaluate(
    `document.querySelector('#razorpay-test-checkout')?.shadowRoot.querySelector('.sheet').innerText`,
  ) as Promise<string | undefined>;

describe('the test checkout, under a strict Content Security Policy', () => {
  it('shows that it is a test and the order’s own amount, and returns a signed payment', async () => {
    const order_id = await newOrder();
    await openCheckout({ order_id });
    await page.waitForSelector('>>> .pay:not(:disabled)');
    expect(await shown()).toMatch(/Test checkout: no money moves\s+Karaar\s+₹1,234\.56[^]*Pay ₹1,234\.56/);
    await press('success');
    const [[what, result]] = (await called(1)) as [[string, Record<string, string>]];
    expect(what).toBe('paid');
    expect(Object.keys(result).sort()).toEqual([
      'razorpay_order_id',
      'razorpay_payment_id',
      'razorpay_signature',
    ]);
    const signed = `${order_id}|${result.razorpay_payment_id}`;
    expect(result.razorpay_signature).toBe(createHmac('sha256', KEYS.keySecret).update(signed).digest('hex'));
    expect(await shown()).toBeUndefined();
  });

  it('is styled: a dialog over the whole page', async () => {
    await openCheckout({ order_id: await newOrder() });
    const veil = await page.evaluate(`(() => {
      const veil = document.querySelector('#razorpay-test-checkout').shadowRoot.querySelector('.veil');
      const box = veil.getBoundingClientRect();
      return { position: getComputedStyle(veil).position, whole: box.width === innerWidth && box.height === innerHeight };
    })()`);
    expect(veil).toEqual({ position: 'fixed', whole: true });
  });

  it('reports a failed payment, stays open, and accepts the next attempt', async () => {
    const order_id = await newOrder();
    await openCheckout({ order_id });
    await press('failure');
    const [[what, answer]] = (await called(1)) as [[string, unknown]];
    expect(what).toBe('failed');
    expect(answer).toMatchObject({
      error: {
        code: 'BAD_REQUEST_ERROR',
        description: expect.stringContaining('declined'),
        source: 'bank',
        step: 'payment_authorization',
        reason: 'payment_failed',
        metadata: { order_id, payment_id: expect.stringMatching(/^pay_/) },
      },
    });
    expect(await shown()).toContain('declined');
    await press('success');
    expect((await called(2))[1]?.[0]).toBe('paid');
  });

  it('closes after a failure if the page disables retries', async () => {
    await openCheckout({ order_id: await newOrder(), retry: { enabled: false } });
    await press('failure');
    expect((await called(1))[0]?.[0]).toBe('failed');
    expect(await shown()).toBeUndefined();
  });

  it('reports a cancel by button and by Escape, and restores the focus', async () => {
    for (const cancel of [() => press('cancel'), () => page.keyboard.press('Escape')]) {
      await openCheckout({ order_id: await newOrder() });
      await cancel();
      expect(await called(1)).toEqual([['dismissed']]);
      expect(await shown()).toBeUndefined();
      expect(await page.evaluate('document.activeElement.id')).toBe('buy');
    }
  });

  it('keeps the focus inside', async () => {
    await openCheckout({ order_id: await newOrder() });
    await page.waitForSelector('>>> .pay:not(:disabled)');
    const focused = () =>
      page.evaluate(
        `document.querySelector('#razorpay-test-checkout').shadowRoot.activeElement?.dataset.outcome`,
      ) as Promise<string>;
    const seen = [];
    for (let i = 0; i < 4; i += 1) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen).toEqual(['success', 'failure', 'cancel', 'success']);
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('cancel');
    await page.keyboard.up('Shift');
  });

  it('reports an unknown or paid order, and offers only to cancel', async () => {
    const paid = await newOrder();
    await postJson(`${url}/dev/razorpay/pay`, { order_id: paid });
    for (const [order_id, text] of [
      ['order_nothing', 'The id provided does not exist'],
      [paid, 'This order is paid already.'],
    ] as const) {
      await openCheckout({ order_id });
      await page.waitForFunction(
        `document.querySelector('#razorpay-test-checkout').shadowRoot.querySelector('.fault').textContent !== ''`,
      );
      expect(await shown()).toContain(text);
      expect(await page.$('>>> .pay:disabled')).not.toBeNull();
      await press('cancel');
      expect(await called(1)).toEqual([['dismissed']]);
    }
  });
});

describe('the checkout’s own calls', () => {
  it('need the public key, and never reveal a signature before the payment', async () => {
    const order_id = await newOrder();
    const base = `${url}/sandbox/razorpay/v1/checkout`;
    expect((await fetch(`${base}/order?order_id=${order_id}&key_id=wrong`)).status).toBe(401);
    expect(
      (await postJson(`${base}/attempt`, { order_id, key_id: 'wrong', outcome: 'success' })).status,
    ).toBe(401);
    const refused = await postJson(`${base}/attempt`, { order_id, key_id: KEYS.keyId, outcome: 'maybe' });
    expect(refused).toMatchObject({ status: 400, body: { error: { field: 'outcome' } } });
    const answer = await fetch(`${base}/order?order_id=${order_id}&key_id=${KEYS.keyId}`);
    expect(Object.keys((await answer.json()) as object)).toEqual([
      'id',
      'amount',
      'amount_due',
      'currency',
      'status',
      'fee',
    ]);
  });
});
