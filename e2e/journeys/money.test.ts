/** Money as people meet it: topping a wallet up, its history and statement, paying for a document, the daily rate. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { agree, createDocument, topUp } from '../src/journey.ts';
import type { Screen } from '../src/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn, type SignedIn } from '../src/signed-in.ts';

jest.setTimeout(180_000);

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const { url } = sharedProduct;

let one: TestBrowser;
let two: TestBrowser;
let folder: string;
let owner: SignedIn;
let guest: SignedIn;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-e2e-money-'));
  [one, two] = await Promise.all([launchChromium(), launchChromium()]);
  [owner, guest] = await Promise.all([
    signedIn(one.browser, url, 'Asha Rao', DESKTOP),
    signedIn(two.browser, url, 'Vikram Shah', PHONE),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await rm(folder, { recursive: true, force: true });
});

const balanceOf = async ({ person }: SignedIn) =>
  Number((await person.call('GET', '/wallet/balance')).body['balance']);
/** An attribute of the field of this label, once it is there. */
const attribute = async (screen: Screen, label: string, name: string) => {
  await screen.sees(label);
  return screen.page.evaluate(
    (wanted: string, attr: string) =>
      [...document.querySelectorAll('label')]
        .find((each) => each.textContent?.trim().startsWith(wanted))
        ?.control?.getAttribute(attr),
    label,
    name,
  );
};
/** An agreement of both, approved by both, for a week. */
async function approved(): Promise<string> {
  const id = await createDocument(owner.person);
  await agree(owner.person, guest.person, id);
  return id;
}
async function openCheckout(screen: Screen, rupees: string): Promise<void> {
  await screen.press('Add Funds');
  await screen.fill('Amount in INR', rupees);
  await screen.press('Continue to payment');
}
/** Where downloads of this page go. */
async function downloads(screen: Screen): Promise<(pattern: RegExp) => Promise<Buffer>> {
  const session = await screen.page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    browserContextId: screen.page.browserContext().id,
    eventsEnabled: true,
  });
  const names = new Map<string, string>();
  const done: string[] = [];
  session.on('Browser.downloadWillBegin', ({ guid, suggestedFilename }) =>
    names.set(guid, suggestedFilename),
  );
  session.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'completed') done.push(names.get(guid) ?? '');
  });
  return async (pattern) => {
    for (let i = 0; i < 200; i += 1) {
      const name = done.find((each) => pattern.test(each));
      if (name !== undefined) return readFile(join(folder, name));
      await sleep(100);
    }
    throw new Error(`nothing like ${pattern} was downloaded, only ${done.join(', ')}`);
  };
}

it('[WALLET-001] [WALLET-002] [WALLET-003] [WALLET-008] [WALLET-010] [WALLET-011] [WALLET-013] [WALLET-014] a top-up ends in success, failure or cancel, and only success changes the balance', async () => {
  const { screen } = owner;
  const scripts: string[] = [];
  const verified: string[] = [];
  screen.page.on('request', (request) => {
    if (/razorpay\/v1\/checkout\.js/.test(request.url())) scripts.push(request.url());
    if (request.url().endsWith('/api/wallet/verify-razorpay-payment')) verified.push(request.method());
  });
  await screen.goto('/wallet');
  await screen.sees('₹0.00');
  await screen.sees(/Last updated \d+ \w+ \d{4}/);
  await screen.sees('No transactions yet');
  await screen.picture('wallet-empty');
  await screen.press('Add Funds');
  expect(await attribute(screen, 'Amount in INR', 'min')).toBe('1');
  expect(await attribute(screen, 'Amount in INR', 'step')).toBe('0.01');
  for (const [amount, text] of [
    ['0', 'Please enter a valid amount'],
    ['100000.01', 'Maximum amount is 1,00,000 INR'],
  ] as const) {
    await screen.fill('Amount in INR', amount);
    await screen.press('Continue to payment');
    await screen.sees(text);
  }
  await screen.press('Cancel');
  expect(scripts).toEqual([]);

  await openCheckout(screen, '250.50');
  await screen.pressInCheckout('Pay ₹250.50');
  await screen.sees('₹250.50 added to your wallet');
  expect([scripts.length, verified, await balanceOf(owner)]).toEqual([1, ['POST'], 250.5]);

  await openCheckout(screen, '75');
  await screen.pressInCheckout('Fail this payment');
  await screen.seesFaultInCheckout();
  await screen.pressInCheckout('Cancel');
  await screen.sees(/declined|failed/i);
  await openCheckout(screen, '75');
  await screen.pressInCheckout('Cancel');
  await screen.sees('Payment cancelled by user.');
  expect([verified.length, await balanceOf(owner)]).toEqual([1, 250.5]);
  await screen.sees('₹250.50');
});

it('[WALLET-004] [WALLET-005] the history shows every movement, filtered by the address, and can be kept', async () => {
  const { screen, person } = guest;
  await topUp(url, person, 1_00_000);
  await screen.goto('/wallet');
  await screen.sees('₹1,00,000.00');
  await screen.sees('Wallet top-up');
  await topUp(url, person, 12.25);
  await screen.press('Refresh');
  await screen.sees('+₹12.25');
  await screen.picture('wallet-history-phone');

  await screen.press('Money out', 'radio');
  await screen.sees('Nothing in this period');
  expect(new URL(screen.page.url()).search).toBe('?show=debit');
  await screen.page.reload();
  await screen.sees('Nothing in this period');
  await screen.press('Clear');
  await screen.sees('+₹12.25');

  const fetched = await downloads(screen);
  await screen.press('Statement');
  await screen.press('Spreadsheet (CSV)', 'menuitem');
  expect((await fetched(/\.csv$/)).toString('utf8')).toMatch(/Wallet top-up,credit,12\.25,100012\.25/);
  await screen.press('Statement');
  await screen.press('PDF', 'menuitem');
  expect((await fetched(/\.pdf$/)).subarray(0, 5).toString()).toBe('%PDF-');
});

it('[PAY-001] [PAY-002] [PAY-011] [PAY-016] [PAY-023] [PAY-024] the payment page pays after a confirmation, with a distribution made on the way, and reloads', async () => {
  const { screen, person } = owner;
  const id = await approved();
  const setUps: string[] = [];
  const pays: string[] = [];
  screen.page.on('request', (request) => {
    if (request.url().endsWith('/setup-distribution')) setUps.push(request.postData() ?? '');
    if (request.url().endsWith(`/api/payments/document/${id}/pay`)) pays.push(request.method());
  });
  await screen.goto(`/document/${id}/payment`);
  for (const text of [
    'Wallet balance',
    'Summary',
    'Daily Rate ₹1',
    'Distribution',
    'Payment history',
    'Quick actions',
    'Payment status',
    'Your role',
  ]) {
    await screen.sees(text);
  }
  await screen.picture('payment-page');
  const before = await balanceOf(owner);
  await screen.press('Make Payment');
  await screen.press('Cancel');
  expect([pays, await balanceOf(owner)]).toEqual([[], before]);

  await screen.press('Make Payment');
  const loaded = screen.page.waitForNavigation({ timeout: 20_000 });
  await screen.press('Pay ₹7');
  await loaded;
  await screen.sees('Completed');
  expect(pays).toEqual(['POST', 'POST']);
  expect(setUps.map((text) => JSON.parse(text) as unknown)).toEqual([
    { payment_distributions: [{ user_id: person.userId, percentage: 100 }], duration_days: 7 },
  ]);
  expect(await balanceOf(owner)).toBe(before - 7);

  const fetched = await downloads(screen);
  await screen.press('Receipt for ₹7.00');
  expect((await fetched(/receipt.*\.pdf$/)).subarray(0, 5).toString()).toBe('%PDF-');
});

it('[PAY-003] [PAY-025] two parties pay their shares, and each sees how far it is', async () => {
  const id = await approved();
  await owner.person.call('POST', `/payments/document/${id}/setup-distribution`, {
    payment_distributions: [
      { user_id: owner.person.userId, percentage: 60 },
      { user_id: guest.person.userId, percentage: 40 },
    ],
  });
  const { screen } = guest;
  await screen.goto(`/document/${id}/payment`);
  await screen.sees('View & make payments');
  await screen.sees('Pending');
  await screen.sees('40%');
  await screen.press('Make Payment');
  await screen.press('Pay ₹2.80');
  await screen.sees('Partial');
  await screen.picture('payment-partial-phone');
  await owner.screen.goto(`/document/${id}/payment`);
  await owner.screen.sees('Partial');
  await owner.screen.press('Make Payment');
  await owner.screen.press('Pay ₹4.20');
  await owner.screen.sees('Completed');
  await screen.goto(`/document/${id}/payment`);
  await screen.sees('Completed');
});

it('says what stands in the way: a wallet too small, a party that has not approved, no document', async () => {
  const poor = await signedIn(one.browser, url, 'Meera Nair', DESKTOP);
  const id = await createDocument(poor.person);
  await poor.screen.goto(`/document/${id}/payment`);
  await poor.screen.press('Make Payment');
  await poor.screen.sees('Both users must be verified before payment');
  await agree(poor.person, guest.person, id);
  await poor.screen.page.reload();
  await poor.screen.press('Make Payment');
  await poor.screen.sees('Insufficient wallet balance. Required: ₹7, Available: ₹0');
  await poor.screen.goto('/document/00000000-0000-7000-8000-000000000000/payment');
  await poor.screen.sees('Document not found');
  await poor.screen.close();
});

it('[PRICING-001] [PRICING-002] [PRICING-003] [PRICING-004] [PRICING-005] the pricing page shows the rate and changes it', async () => {
  const { screen, person } = owner;
  await screen.goto('/pricing');
  await screen.sees('Any logged-in user can view and modify pricing');
  expect(await attribute(screen, 'Daily rate in INR', 'min')).toBe('0.01');
  expect(await attribute(screen, 'Daily rate in INR', 'step')).toBe('0.01');
  for (const bad of ['0', '-1']) {
    await screen.fill('Daily rate in INR', bad);
    await screen.press('Save');
    await screen.sees('Please enter a valid daily rate');
  }
  const sent = screen.page.waitForRequest(
    (request) => request.url().endsWith('/api/documents/pricing') && request.method() !== 'GET',
  );
  // The rate that others reckon with: the same as without one, so that no other journey is charged otherwise.
  await screen.fill('Daily rate in INR', '1');
  await screen.press('Save');
  expect(JSON.parse((await sent).postData() ?? '')).toEqual({ daily_rate: 1 });
  await screen.sees('Pricing saved');
  await screen.sees('₹1.00 a day');
  await screen.sees('Active');
  for (const label of ['Last changed by', 'Last changed', 'Set by', 'First set']) await screen.sees(label);
  await screen.sees(`${person.name} set ₹1.00 a day`);
  await screen.picture('pricing');
});
