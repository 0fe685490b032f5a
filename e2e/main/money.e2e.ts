/** The money screens: top-ups, history and statement of the wallet, payments for a document, the daily rate. */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { downloads } from '../src/browser/downloads.ts';
import { failing } from '../src/browser/failing.ts';
import { agree, balanceOf, createDocument, share, topUp } from '../src/journey.ts';
import { PHONE, sheet, WIDE, withScreen } from '../src/browser/opened.ts';
import { newPerson, part, verification } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { holdTimers, letGo, toastIs } from '../src/browser/toasts.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(180_000);

const { url } = sharedProduct;

const folder = await newFolder();
const [one, two] = await Promise.all([openBrowser(), openBrowser()]);
const [owner, guest] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Vikram Shah', PHONE),
]);

/** Returns an attribute of the field with this label. */
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
/** Creates a document for a week that both have approved. */
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
/** Returns the movements in the wallet's history, each as one line. */
const movements = ({ page }: Screen) =>
  page.$$eval('main section', (sheets) =>
    sheets
      .filter((sheet) => sheet.querySelector('h2')?.textContent === 'Transaction history')
      .flatMap((sheet) => [...sheet.querySelectorAll('li')])
      .map((movement) => movement.innerText.replaceAll(/\s+/g, ' ')),
  );
const factsOf = async ({ page }: Screen): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page.$$eval('main dl > div', (entries) =>
      entries.map(({ children: [name, value] }) => [name?.textContent ?? '', value?.textContent ?? '']),
    ),
  ) as Record<string, string>;
/** Replaces non-breaking spaces with plain ones. */
const plain = (text = '') => text.replaceAll(/\s/g, ' ');
/** Formats a time as the screens do: 21 Nov 2026, 5:30 am, in India. */
const written = (iso: unknown) => {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-IN', { ...options, timeZone: 'Asia/Kolkata' }).format(new Date(String(iso)));
  const time = of({ hour: 'numeric', minute: '2-digit', hour12: true }).toLowerCase();
  return plain(`${of({ day: 'numeric', month: 'short', year: 'numeric' })}, ${time}`);
};
/** Waits for a status on the payment page. */
const paymentIs = ({ page }: Screen, state: string) =>
  page.waitForFunction(
    (wanted: string) =>
      [...document.querySelectorAll('main dl > div')].some(
        ({ children: [name, value] }) =>
          name?.textContent === 'Payment status' && value?.textContent === wanted,
      ),
    {},
    state,
  );
it('[WALLET-001] [WALLET-003] [WALLET-006] [WALLET-007] [WALLET-008] [WALLET-010] [WALLET-011] [WALLET-013] [WALLET-014] [WALLET-031] a top-up ends in success, failure or cancel, and only success changes the balance', async () => {
  const { screen } = owner;
  const scripts: string[] = [];
  const verified: string[] = [];
  screen.page.on('request', (request) => {
    if (/razorpay\/v1\/checkout\.js/.test(request.url())) scripts.push(request.url());
    if (request.url().endsWith('/api/wallet/verify-razorpay-payment')) verified.push(request.method());
  });
  await screen.goto('/wallet');
  await screen.says('₹0.00');
  await screen.sees('No transactions yet');
  await screen.press('Add Funds');
  expect(await attribute(screen, 'Amount in INR', 'min')).toBe('1');
  expect(await attribute(screen, 'Amount in INR', 'step')).toBe('0.01');
  for (const [amount, text] of [
    ['0', 'Please enter a valid amount'],
    ['100000.01', 'Maximum amount is 1,00,000 INR'],
  ] as const) {
    await screen.fill('Amount in INR', amount);
    await screen.press('Continue to payment');
    await toastIs(screen.page, text);
  }
  await screen.press('Cancel');
  expect(scripts).toEqual([]);

  await openCheckout(screen, '250.50');
  await screen.pressInCheckout('Pay ₹250.50');
  await toastIs(screen.page, '₹250.50 added to your wallet');
  await screen.says('₹250.50');
  expect([scripts.length, verified, await balanceOf(owner.person)]).toEqual([1, ['POST'], 250.5]);
  // The header shows the balance in coins, one per rupee.
  await screen.page.waitForSelector('header ::-p-text(250.50 coins)');

  await openCheckout(screen, '75');
  await screen.pressInCheckout('Fail this payment');
  await screen.seesFaultInCheckout();
  await screen.pressInCheckout('Cancel');
  await toastIs(screen.page, 'Your payment was declined by the test bank. Try again or use another method.');
  await openCheckout(screen, '75');
  await screen.pressInCheckout('Cancel');
  await toastIs(screen.page, 'Payment cancelled by user.');
  expect([verified.length, await balanceOf(owner.person)]).toEqual([1, 250.5]);
  await screen.says('₹250.50');
  // The maximum of a top-up.
  const order = screen.page.waitForRequest((request) => request.url().endsWith('/create-razorpay-order'));
  await openCheckout(screen, '100000');
  expect(JSON.parse((await order).postData() ?? '')).toEqual({ amount: 100_000 });
  await screen.pressInCheckout('Cancel');
});

it('[WALLET-002] shows when the wallet was last updated', async () => {
  const { screen, person } = owner;
  const updated_at = '2026-03-01T18:45:00.000Z';
  const heal = await failing(screen.page, {
    'GET ^/api/wallet/balance$': { status: 200, body: JSON.stringify({ balance: 1234.5, updated_at }) },
  });
  await screen.goto('/wallet');
  await screen.says('₹1,234.50');
  // 00:15 of the next day in India.
  const shown = await screen.page.$eval('main', (main) => main.innerText);
  expect(plain(shown)).toContain(`Last updated ${written(updated_at)}`);
  await heal();
  expect((await person.call('GET', '/wallet/balance')).body['updated_at']).not.toBe(updated_at);
});

it('[WALLET-004] [WALLET-005] the history shows every movement, takes its filters from the address, and can be downloaded', async () => {
  const { screen, person } = guest;
  await topUp(url, person, 1_00_000);
  await screen.goto('/wallet');
  await screen.sees('₹1,00,000.00');
  await screen.sees('Wallet top-up');
  await topUp(url, person, 12.25);
  expect(await movements(screen)).toHaveLength(1);
  const calls = callsOf(screen.page);
  await screen.press('Refresh');
  await screen.sees('+₹12.25');
  expect(asked(calls, 'GET /api/wallet/transactions')).toHaveLength(1);
  const day = new Date().toLocaleDateString('en-IN', { day: 'numeric', timeZone: 'Asia/Kolkata' });
  expect(await movements(screen)).toEqual([
    expect.stringMatching(
      new RegExp(`^Wallet top-up ${day} \\w+ \\d{4}, .*\\d:\\d\\d.* Credit \\+₹12\\.25$`),
    ),
    expect.stringMatching(
      new RegExp(`^Wallet top-up ${day} \\w+ \\d{4}, .*\\d:\\d\\d.* Credit \\+₹1,00,000\\.00$`),
    ),
  ]);

  await screen.press('Money out', 'radio');
  await screen.sees('Nothing in this period');
  expect(new URL(screen.page.url()).search).toBe('?show=debit');
  await screen.page.reload();
  await screen.sees('Nothing in this period');
  await screen.press('Clear');
  await screen.sees('+₹12.25');

  const fetched = await downloads(screen, folder);
  await screen.press('Statement');
  await screen.press('Spreadsheet (CSV)', 'menuitem');
  expect((await fetched(/\.csv$/)).toString('utf8')).toMatch(/Wallet top-up,credit,12\.25,100012\.25/);
  await screen.press('Statement');
  await screen.press('PDF', 'menuitem');
  expect((await fetched(/\.pdf$/)).subarray(0, 5).toString()).toBe('%PDF-');
});

it('[PAY-001] [PAY-002] [PAY-004] [PAY-006] [PAY-011] [PAY-016] [PAY-021] [PAY-023] [PAY-024] the payment page pays after a confirmation, sets up the distribution, and reloads', async () => {
  const { screen, person } = owner;
  const id = await approved();
  const setUps: string[] = [];
  const pays: string[] = [];
  screen.page.on('request', (request) => {
    if (request.url().endsWith('/setup-distribution')) setUps.push(request.postData() ?? '');
    if (request.url().endsWith(`/api/payments/document/${id}/pay`)) pays.push(request.method());
  });
  // The page reloads 800 ms after the payment.
  const held = await screen.page.evaluateOnNewDocument(holdTimers, [800]);
  await screen.goto(`/document/${id}/payment`);
  await screen.says('Daily Rate ₹1');
  await screen.settled();
  const before = await balanceOf(owner.person);
  for (const [title, text] of [
    ['Wallet balance', `₹${before.toFixed(2)}`],
    ['Summary', 'Daily Rate ₹1'],
    ['Summary', 'Make Payment'],
    ['Distribution', 'Not set up yet. If you pay now, you pay the full amount.'],
    ['Payment history', 'Nothing has been paid yet.'],
    ['Quick actions', 'Back to the document'],
    ['Quick actions', 'Go to your wallet'],
    ['Your role', 'Creator: you pay for this document'],
  ] as const)
    expect({ title, says: await sheet(screen, title) }).toEqual({
      title,
      says: expect.stringContaining(text),
    });
  expect(await factsOf(screen)).toEqual({
    Total: '₹7.00',
    Duration: '7 days',
    'Paid so far': '₹0.00',
    'Payment status': 'Pending',
  });
  await screen.press('Make Payment');
  await screen.press('Cancel');
  expect([pays, await balanceOf(owner.person)]).toEqual([[], before]);

  await paymentIs(screen, 'Pending');
  await screen.press('Make Payment');
  await screen.press('Pay ₹7');
  await toastIs(screen.page, 'Payment completed');
  await screen.page.evaluate(() => Object.assign(window, { sameLoad: true }));
  const loaded = screen.page.waitForNavigation({ timeout: 20_000 });
  expect(await letGo(screen.page, 800)).toBeGreaterThan(0);
  await loaded;
  expect(await screen.page.evaluate(() => 'sameLoad' in window)).toBe(false);
  await screen.page.removeScriptToEvaluateOnNewDocument(held.identifier);
  await paymentIs(screen, 'Completed');
  expect(pays).toEqual(['POST', 'POST']);
  expect(setUps.map((text) => JSON.parse(text) as unknown)).toEqual([
    { payment_distributions: [{ user_id: person.userId, percentage: 100 }], duration_days: 7 },
  ]);
  expect(await balanceOf(owner.person)).toBe(before - 7);

  const fetched = await downloads(screen, folder);
  await screen.press('Receipt for ₹7.00');
  expect((await fetched(/receipt.*\.pdf$/)).subarray(0, 5).toString()).toBe('%PDF-');

  // The wallet lists the payment with the document's name and a receipt in the language of the screen.
  await screen.goto('/wallet');
  await screen.page.waitForSelector('aria/Rent agreement[role="link"]', { visible: true });
  const asked = screen.page.waitForRequest((request) => request.url().includes('/receipt'));
  await screen.press('Receipt for ₹7.00');
  expect(new URL((await asked).url()).search).toBe('?language=en');
});

it('the statement is offered in the language of the screen and in English', async () => {
  const reader = await newPerson(url, 'Meera Nair');
  const options = { path: '/wallet', as: reader, storage: { language: 'hi' } };
  await withScreen({ url, browser: owner.screen.page.browser() }, options, async (screen) => {
    for (const [name, language] of [
      ['PDF', 'hi'],
      ['PDF, अंग्रेज़ी में', 'en'],
    ] as const) {
      await screen.press('स्टेटमेंट');
      const asked = screen.page.waitForResponse((response) => response.url().includes('/wallet/statement'));
      await screen.press(name, 'menuitem');
      const answer = await asked;
      expect(new URL(answer.url()).searchParams.get('language')).toBe(language);
      expect(answer.status()).toBe(200);
    }
  });
});

it('[PAY-003] [PAY-004] [PAY-005] [PAY-006] [PAY-025] [WALLET-004] two parties pay their shares, and each sees the progress', async () => {
  const id = await approved();
  await share(owner.person, id, [
    [owner.person, 60],
    [guest.person, 40],
  ]);
  const { screen } = guest;
  await screen.goto(`/document/${id}/payment`);
  await screen.says('View & make payments');
  await paymentIs(screen, 'Pending');
  await screen.sees('40%');
  await screen.press('Make Payment');
  await screen.press('Pay ₹2.80');
  await paymentIs(screen, 'Partial');
  await owner.screen.goto(`/document/${id}/payment`);
  await paymentIs(owner.screen, 'Partial');
  await owner.screen.press('Make Payment');
  await owner.screen.press('Pay ₹4.20');
  await paymentIs(owner.screen, 'Completed');
  await screen.goto(`/document/${id}/payment`);
  await paymentIs(screen, 'Completed');
  // The newest is first.
  expect(await sheet(screen, 'Payment history')).toMatch(
    /Asha Rao[^]*Completed[^]*₹4\.20[^]*Completed[^]*₹2\.80/,
  );
  await screen.goto('/wallet');
  await screen.sees('−₹2.80');
  expect((await movements(screen))[0]).toMatch(/Rent agreement.* Debit −₹2\.80$/);
});

it('[PAY-022] [PAY-026] a day costs ₹1, a week ₹7, a month ₹30; the document page pays for a day, and sets up its distribution', async () => {
  const { screen, person } = owner;
  const days = async (name: string, end_date: string) => {
    const { body } = await person.send('/documents/create', {
      name,
      start_date: '2026-04-01',
      end_date,
      raw_documents: part(await textPdf(name), 'application/pdf', 'rent.pdf'),
      ...(await verification(1)),
    });
    return String(body['document_id']);
  };
  const one = await days('Hall for a day', '2026-04-01');
  for (const [id, total, length] of [
    [one, '₹1.00', '1 day'],
    [await days('Hall for a week', '2026-04-07'), '₹7.00', '7 days'],
    [await days('Hall for a month', '2026-04-30'), '₹30.00', '30 days'],
  ] as const) {
    await screen.goto(`/document/${id}/payment`);
    await screen.sees('Payment status');
    await screen.settled();
    expect(await factsOf(screen)).toMatchObject({ Total: total, Duration: length });
  }
  await agree(person, guest.person, one);
  await topUp(url, person, 1);
  const setUp = screen.page.waitForRequest((request) => request.url().endsWith('/setup-distribution'));
  await screen.goto(`/document/${one}`);
  await screen.press('Pay from Wallet');
  await screen.press('Pay ₹1');
  expect(JSON.parse((await setUp).postData() ?? '')).toEqual({
    payment_distributions: [{ user_id: person.userId, percentage: 100 }],
    duration_days: 1,
  });
  await screen.sees('Payment completed');
  const { body } = await person.call('GET', `/payments/document/${one}/calculate`);
  expect(body).toMatchObject({
    payment_status: 'completed',
    duration_days: 1,
    payment_distributions: [{ user_id: person.userId, percentage: 100, amount: 1 }],
  });
});

it('[PAY-017] [PAY-018] [PAY-019] [PAY-020] gives the reason why a payment is impossible: low balance, missing approval, nothing to pay, no share, no document', async () => {
  const poor = await signedIn(one.browser, url, 'Meera Nair', WIDE);
  const id = await createDocument(poor.person);
  await poor.screen.goto(`/document/${id}/payment`);
  await poor.screen.press('Make Payment');
  await toastIs(poor.screen.page, 'Both users must be verified before payment');
  await agree(poor.person, guest.person, id);
  await poor.screen.page.reload();
  await poor.screen.press('Make Payment');
  await poor.screen.says('Insufficient wallet balance. Required: ₹7, Available: ₹0');
  await guest.screen.goto(`/document/${id}/payment`);
  await guest.screen.says('Only the primary user can pay for this document');
  expect(await guest.screen.page.$('aria/Make Payment[role="button"]')).toBeNull();
  // No document is free today, so the browser gives this answer.
  const { body: charge } = await poor.person.call('GET', `/payments/document/${id}/calculate`);
  const heal = await failing(poor.screen.page, {
    'GET /calculate$': { status: 200, body: JSON.stringify({ ...charge, total_amount: 0 }) },
  });
  await poor.screen.page.reload();
  await poor.screen.press('Make Payment');
  await toastIs(poor.screen.page, 'No payable amount found');
  await heal();
  await poor.screen.goto('/document/00000000-0000-7000-8000-000000000000/payment');
  await poor.screen.says('Document not found');
  await poor.screen.close();
});

describe('the pricing page', () => {
  const pricing = {
    daily_rate: 2.5,
    is_active: true,
    created_by_name: 'Meera Nair',
    updated_by_name: 'Ravi Menon',
    created_at: '2026-02-27T18:45:00.000Z',
    updated_at: '2026-03-01T04:05:00.000Z',
    user_editing: true,
  };
  /** Changes the rate only in the answers, because all journeys share it. */
  const answering = (answers: Record<string, object>) =>
    failing(
      owner.screen.page,
      Object.fromEntries(
        Object.entries(answers).map(([method, body]) => [
          `${method} ^/api/documents/pricing$`,
          { status: 200, contentType: 'application/json', body: JSON.stringify(body) },
        ]),
      ),
    );

  it('[PRICING-001] [PRICING-002] shows the rate, its state, its authors and dates, and that any user may change it', async () => {
    const { screen } = owner;
    const heal = await answering({ GET: pricing });
    await screen.goto('/pricing');
    await screen.sees('Any logged-in user can view and modify pricing');
    const facts = await factsOf(screen);
    expect(Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(value)]))).toEqual({
      'Daily rate': '₹2.50 a day',
      Status: 'Active',
      'Last changed by': 'Ravi Menon',
      'Last changed': written(pricing.updated_at),
      'Set by': 'Meera Nair',
      'First set': written(pricing.created_at),
      '1 day': '₹2.50',
      '7 days': '₹17.50',
      '30 days': '₹75.00',
    });
    await heal();
  });

  it('[PRICING-003] [PRICING-004] accepts a rate from 0.01 on, in steps of 0.01, and sends no other', async () => {
    const { screen } = owner;
    const sent: string[] = [];
    screen.page.on('request', (request) => {
      if (request.url().endsWith('/api/documents/pricing') && request.method() !== 'GET')
        sent.push(request.method());
    });
    await screen.goto('/pricing');
    expect(await attribute(screen, 'Daily rate in INR', 'min')).toBe('0.01');
    expect(await attribute(screen, 'Daily rate in INR', 'step')).toBe('0.01');
    for (const bad of ['0', '-1']) {
      await screen.fill('Daily rate in INR', bad);
      await screen.press('Save');
      await toastIs(screen.page, 'Please enter a valid daily rate');
      await screen.press('Dismiss');
      await screen.gone('Please enter a valid daily rate');
    }
    expect(sent).toEqual([]);
  });

  it('[PRICING-005] saves a rate, and shows it with its author', async () => {
    const { screen, person } = owner;
    const saving = () =>
      screen.page.waitForRequest(
        (request) => request.url().endsWith('/api/documents/pricing') && request.method() !== 'GET',
      );
    await screen.goto('/pricing');
    const sent = saving();
    // The default rate, because all journeys share it.
    await screen.fill('Daily rate in INR', '1');
    await screen.press('Save');
    expect(JSON.parse((await sent).postData() ?? '')).toEqual({ daily_rate: 1 });
    await toastIs(screen.page, 'Pricing saved');
    await screen.says('₹1.00 a day');
    await screen.sees(`${person.name} set ₹1.00 a day`);
    const heal = await answering({ PUT: pricing });
    const again = saving();
    await screen.fill('Daily rate in INR', '2.50');
    await screen.press('Save');
    expect(JSON.parse((await again).postData() ?? '')).toEqual({ daily_rate: 2.5 });
    await screen.says('₹2.50 a day');
    await heal();
  });

  it('[PRICING-015] offers no change while admins have disabled changes by users', async () => {
    const { screen } = owner;
    const heal = await answering({ GET: { ...pricing, user_editing: false } });
    await screen.goto('/pricing');
    await screen.says('An administrator has turned off changes by users for now.');
    expect(await screen.page.$$('main form')).toEqual([]);
    await heal();
  });
});
