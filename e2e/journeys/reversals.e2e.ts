/** An admin reverses a payment: alone if it is small, otherwise with a second admin. */
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { adminScreen, lists, newAdmin } from '../src/admins.ts';
import { agree, createDocument, documentFields, finalize, payAlone, share, topUp } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';
import { listIn } from '@karaar/testing/list-in';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const [chromium, users] = await Promise.all([openBrowser(), openBrowser()]);
const asha = await signedIn(users.browser, url, 'Asha Kelkar', PHONE);
const vikram = await newPerson(url, 'Vikram Bhosale');
await topUp(url, asha.person, 2_000);
const first = await adminScreen(chromium.browser, await newAdmin('super-admin'), WIDE);
const second = await adminScreen(chromium.browser, await newAdmin('super-admin'), PHONE);

const get = async (path: string) => (await asha.person.call('GET', path)).body;
const balance = async () => Number((await get('/wallet/balance'))['balance']);
const paymentsOf = async (id: string) =>
  listIn<{ _id: string; status: string }>(await get(`/payments/document/${id}/payments`));
/** Requests the reversal of Asha's only completed payment for a document. */
async function reverse({ page, goto, press, fill, sees }: Screen, reason: string): Promise<void> {
  await goto(`/admin/payments?search=${asha.person.charId}&type=document&status=completed`);
  await lists(page, 'Asha Kelkar', 1);
  await press('Reverse');
  await sees('Reverse this payment?');
  await page.click('[role="dialog"] button[type="submit"]');
  await sees('Say why in a few words');
  await fill('Reason', reason);
  await page.click('[role="dialog"] button[type="submit"]');
}

it('[PAY-060] a reversal within the limit refunds at once; a sealed document stays sealed, and its share is open again', async () => {
  const id = await createDocument(asha.person);
  await agree(asha.person, vikram, id);
  await payAlone(asha.person, id);
  const sealed = await finalize(asha.person, id);
  expect(await balance()).toBe(1_993);

  await reverse(first, 'Charged for a document that was made twice');
  await first.sees('₹7.00 is back in the wallet of Asha Kelkar');
  await first.goto(`/admin/payments?search=${asha.person.charId}&status=reversed`);
  await lists(first.page, 'Asha Kelkar', 1);
  expect(await balance()).toBe(2_000);

  const { screen } = asha;
  await screen.goto('/wallet');
  await screen.sees('Reversal of payment for Rent agreement');
  await screen.sees('Reversed');
  await until('the history says so', async () => {
    const events = listIn<{ type: string }>(await get(`/documents/${id}/events`));
    return events.some(({ type }) => type === 'payment.reversed');
  });
  await screen.goto(`/document/${id}`);
  await screen.sees("₹7.00 given back to the payer's wallet");
  const document = await get(`/documents/${id}`);
  expect(document['status']).toBe('finalized');
  expect(Buffer.compare(await asha.person.bytes(`/documents/${id}/final-pdf`), sealed)).toBe(0);
  expect(await get(`/payments/document/${id}/payment-status`)).toEqual({
    primary_paid_completed: false,
    completed: false,
  });
  await screen.goto(`/document/${id}/payment`);
  await screen.sees('Reversed');
  await screen.goto('/notifications');
  await screen.sees(
    '₹7.00 paid for “Rent agreement” is back in the payer’s wallet. That share is due again.',
  );

  await asha.person.call('POST', `/payments/document/${id}/pay`, {});
  expect((await paymentsOf(id)).map(({ status }) => status)).toEqual(['completed', 'reversed']);
  expect(await balance()).toBe(1_993);
  // Reversed as well, so that the next test finds one payment.
  await reverse(first, 'The payer was told to pay by mistake');
  await first.sees('₹7.00 is back in the wallet of Asha Kelkar');
});

it('[PAY-061] a reversal beyond the limit waits for the confirmation of another admin, who may decline', async () => {
  const fields = { ...(await documentFields()), end_date: '2029-12-31' };
  const { body } = await asha.person.send('/documents/create', fields);
  const id = String(body['document_id']);
  await agree(asha.person, vikram, id);
  await share(asha.person, id, [[asha.person, 100]]);
  await asha.person.call('POST', `/payments/document/${id}/pay`, {});
  const before = await balance();
  const [payment] = await paymentsOf(id);

  const waits = 'Another admin must confirm that ₹1,402.00 goes back to Asha Kelkar';
  await reverse(first, 'Vikram was asked for a year too many');
  await first.sees(waits);
  await first.sees('Reversals to confirm');
  await first.sees(/Asked for by you/);
  const buttons = () =>
    first.page.$$eval('ul[aria-label="Reversals to confirm"] button', (all) =>
      all.map((each) => each.textContent?.trim()),
    );
  expect(await buttons()).toEqual(['Decline']);
  expect(await balance()).toBe(before);

  await second.goto('/admin/payments');
  await second.sees('Vikram was asked for a year too many');
  await second.press('Decline');
  await second.sees('Decline this reversal?');
  await second.fill('Reason', 'The dates of the agreement are right');
  await second.page.click('[role="dialog"] button[type="submit"]');
  await second.sees('The reversal of ₹1,402.00 was declined');
  expect((await paymentsOf(id)).map(({ status }) => status)).toEqual(['completed']);

  await reverse(first, 'The agreement was ended after a day');
  await first.sees(waits);
  await second.goto('/admin/payments');
  await second.sees('The agreement was ended after a day');
  await second.press('Confirm');
  await second.sees('Confirm this reversal?');
  await second.press('Reverse payment');
  await second.sees('₹1,402.00 is back in the wallet of Asha Kelkar');
  expect(await balance()).toBe(before + 1_402);
  expect((await paymentsOf(id)).map(({ status }) => status)).toEqual(['reversed']);

  await first.goto(`/admin/audit?action=reversal&search=${payment?._id ?? ''}`);
  await lists(first.page, '₹1402.00', 4);
});
