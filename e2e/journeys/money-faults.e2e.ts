/** The texts of the money screens for failing requests whose answers have no text (spec §8). */
import { jest } from '@jest/globals';
import { WIDE, withScreen } from '../src/browser/opened.ts';
import { failing, SILENT, type Answer } from '../src/browser/failing.ts';
import { agree, createDocument, topUp } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;

const { browser } = await openBrowser();
const owner = await signedIn(browser, url, 'Asha Rao', WIDE);
const guest = await newPerson(url, 'Vikram Shah');
await topUp(url, owner.person, 100);
const document = await createDocument(owner.person);
await agree(owner.person, guest, document);

/** Opens a page while these requests fail and waits for a text, after an action for a toast. */
async function says(
  text: string,
  path: string,
  answers: Record<string, Answer>,
  act?: () => Promise<void>,
): Promise<void> {
  const { screen } = owner;
  const letThrough = await failing(screen.page, answers);
  try {
    await screen.goto(path);
    await act?.();
    await (act ? toastIs(screen.page, text) : screen.says(text));
  } finally {
    await letThrough();
  }
}
const addFunds = async () => {
  await owner.screen.press('Add Funds');
  await owner.screen.fill('Amount in INR', '10');
  await owner.screen.press('Continue to payment');
};
const payment = () => `/document/${document}/payment`;
const pay = async () => {
  await owner.screen.press('Make Payment');
  await owner.screen.press('Pay ₹7');
};

it('[ERROR-015] [ERROR-016] [ERROR-031] the payment page cannot load', async () => {
  await says('Document not found', payment(), {
    [`GET ^/api/documents/${document}$`]: { ...SILENT, status: 404 },
  });
  const stranger = await newPerson(url, 'Ravi Kumar');
  await withScreen({ browser, url }, { path: payment(), as: stranger }, async (screen) => {
    await screen.says('You are not a party of this document.');
    await screen.press('Go to the dashboard', 'link');
    await screen.isAt(/^\/dashboard$/);
  });
  await says('Failed to load document data', payment(), { [`GET ^/api/documents/${document}$`]: SILENT });
  for (const call of ['calculate', 'payments', 'payment-status']) {
    await says('Failed to load payment information', payment(), {
      [`GET ^/api/payments/document/${document}/${call}$`]: SILENT,
    });
  }
});

it('[ERROR-032] [ERROR-033] a payment fails, or its distribution cannot be set up', async () => {
  const setUp = 'POST /setup-distribution$';
  await says('Failed to setup payment distribution', payment(), { [setUp]: SILENT }, pay);
  await says('Failed to process payment', payment(), { 'POST /pay$': SILENT }, pay);
});

it('paying on the document page sets up a distribution of one day', async () => {
  const sent = owner.screen.page.waitForRequest((request) => request.url().endsWith('/setup-distribution'));
  // It fails, because the other tests of this file need the document unpaid.
  await says(
    'Failed to setup payment distribution',
    `/document/${document}`,
    { 'POST /setup-distribution$': SILENT },
    async () => {
      await owner.screen.press('Pay from Wallet');
      await owner.screen.press('Pay ₹7');
    },
  );
  expect(JSON.parse((await sent).postData() ?? '')).toEqual({
    payment_distributions: [{ user_id: owner.person.userId, percentage: 100 }],
    duration_days: 1,
  });
});

it('[ERROR-034] [ERROR-035] [ERROR-036] [ERROR-037] [ERROR-038] the wallet cannot load, an order fails, a payment fails or is cancelled', async () => {
  const { screen } = owner;
  for (const call of ['balance', 'transactions']) {
    await says('Failed to load wallet data', '/wallet', { [`GET ^/api/wallet/${call}$`]: SILENT });
  }
  await says(
    'Failed to initiate payment. Please try again.',
    '/wallet',
    { 'POST /create-razorpay-order$': SILENT },
    addFunds,
  );
  await says(
    'Payment failed. Please try again.',
    '/wallet',
    { 'POST /verify-razorpay-payment$': SILENT },
    async () => {
      await addFunds();
      await screen.pressInCheckout('Pay ₹10.00');
    },
  );
  await says('Payment cancelled by user.', '/wallet', {}, async () => {
    await addFunds();
    await screen.pressInCheckout('Cancel');
  });
  // A checkout that reports a failure without a reason and is closed.
  const checkout = `window.Razorpay = class {
    constructor(options) { this.options = options; }
    on(_event, listener) { this.failed = listener; }
    open() { this.failed({}); this.options.modal.ondismiss(); }
  };`;
  await says(
    'Payment failed',
    '/wallet',
    { 'GET razorpay/v1/checkout\\.js$': { status: 200, contentType: 'text/javascript', body: checkout } },
    addFunds,
  );
});

it('[ERROR-043] [ERROR-044] the pricing cannot be read or saved', async () => {
  await says('Failed to fetch pricing configuration', '/pricing', { 'GET ^/api/documents/pricing$': SILENT });
  await says(
    'Failed to save pricing',
    '/pricing',
    { 'POST ^/api/documents/pricing$': SILENT, 'PUT ^/api/documents/pricing$': SILENT },
    async () => {
      await owner.screen.fill('Daily rate in INR', '2');
      await owner.screen.press('Save');
    },
  );
});
