/** A payment that matches no order: one admin proposes a resolution, another confirms it. */
import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import { until } from '@karaar/testing/until';
import { adminScreen, newAdmin, rows } from '../src/admins.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { fetchPatiently } from '../src/patience.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(180_000);

const { url } = sharedProduct;
const REASON = 'The bank took more than the order says';

const { browser } = await openBrowser();
const [first, second] = [await newAdmin('super-admin'), await newAdmin('super-admin')];
const payer = await newPerson(url, 'Meera Nair');

/** Pays an order of ₹200 with another amount. @returns the amount as the list shows it */
async function payOtherwise(rupees: number): Promise<string> {
  const { body } = await payer.call('POST', '/wallet/create-razorpay-order', { amount: 200 });
  const order = body['order'] as { id: string };
  await fetchPatiently(`${url}/dev/razorpay/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ order_id: order.id, outcome: 'success', amount: Math.round(rupees * 100) }),
  });
  return `₹${rupees.toFixed(2)}`;
}
const rowOf = async ({ page }: Screen, amount: string) =>
  (await rows(page)).find((row) => row.includes(amount));
/** Presses the button of the row with an amount. */
async function pressIn(screen: Screen, amount: string): Promise<void> {
  await until(`the row of ${amount}`, () => rowOf(screen, amount));
  await screen.page.$$eval(
    'tbody [role="row"]',
    (all, wanted) =>
      (all as HTMLElement[])
        .find((row) => row.innerText.includes(wanted))
        ?.querySelector<HTMLElement>('td:last-child button')
        ?.click(),
    amount,
  );
}
const balance = async () => Number((await payer.call('GET', '/wallet/balance')).body['balance']);

it.each([
  ['a desk', WIDE, 731.07],
  ['a phone', PHONE, 732.08],
] as const)(
  'an exception is listed, resolved by one admin and confirmed by another, on %s',
  async (_, viewport, rupees) => {
    const before = await balance();
    const amount = await payOtherwise(rupees);
    const one = await adminScreen(browser, first, viewport);
    await one.goto('/admin/exceptions');
    await one.sees('Payment exceptions');
    await until('the exception', async () => {
      const row = await rowOf(one, amount);
      if (!row) await one.page.reload({ waitUntil: 'domcontentloaded' });
      return row;
    });
    expect(await rowOf(one, amount)).toContain('Captured payment not credited');
    await pressIn(one, amount);
    await one.sees('Nothing happens until another admin confirms it');
    await one.page.click('[role="dialog"] button[type="submit"]');
    await one.sees('Say why in a few words');
    await one.fill('Reason', REASON);
    await one.page.click('[role="dialog"] button[type="submit"]');
    await one.sees('Choose a resolution');
    await one.page.select('[role="dialog"] select', 'credit_user');
    await one.page.click('[role="dialog"] button[type="submit"]');
    await one.sees('Proposed. Another admin can confirm it now');
    await until('the proposal', async () => (await rowOf(one, amount))?.includes('Change proposal'));
    expect(await balance()).toBe(before);

    const two = await adminScreen(browser, second, viewport);
    await two.goto('/admin/exceptions?state=proposed');
    await pressIn(two, amount);
    await two.sees('Confirm this resolution?');
    await two.sees(REASON);
    await two.sees(payer.userId);
    await two.page.$$eval('[role="dialog"] button', (all) => (all.at(-1) as HTMLElement).click());
    await two.sees('The exception is resolved');
    expect(await balance()).toBe(Math.round((before + rupees) * 100) / 100);
    await until('gone from the proposed ones', async () => (await rowOf(two, amount)) === undefined);
    await two.goto('/admin/exceptions?state=resolved');
    await until('the resolved one', () => rowOf(two, amount));
    await two.press('Compare now');
    await two.sees('The comparison has been started');
    await two.sees(/Last compared on/);
    await one.close();
    await two.close();
  },
);

it('a payment of ₹204.72 with the fee on top is not an exception: the wallet gets ₹200, and both sides see the fee', async () => {
  const before = await balance();
  const amount = await payOtherwise(204.72);
  await until('the credit', async () => (await balance()) === before + 200);
  const [newest] = listIn<{ description: string }>((await payer.call('GET', '/wallet/transactions')).body);
  expect(newest?.description).toBe('Wallet top-up, card fee of ₹4.72 paid on top');
  const admin = await adminScreen(browser, first);
  await admin.goto('/admin/payments');
  await admin.sees('plus ₹4.72 card fee');
  await admin.goto('/admin/exceptions');
  await admin.sees('Payment exceptions');
  await until('the list', async () => (await rows(admin.page)).length > 0);
  expect(await rowOf(admin, amount)).toBeUndefined();
  await admin.close();
});
