/** The payment part of the Manage Users and Payments dialog, on both sides. */
import { jest } from '@jest/globals';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { agree, createDocument, topUp } from '../src/journey.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const { url } = sharedProduct;
const SUMMARY = '[role="dialog"] section[aria-label="Summary"]';

const { browser } = await openBrowser();
const [owner, guest] = await Promise.all([
  signedIn(browser, url, 'Asha Rao', WIDE),
  signedIn(browser, url, 'Vikram Shah', PHONE),
]);
await Promise.all([topUp(url, owner.person, 100), topUp(url, guest.person, 100)]);

/** Waits until the dialog's payment part contains these texts. @returns its text */
async function says(screen: Screen, ...texts: string[]): Promise<string> {
  for (const text of texts) {
    await screen.page.waitForFunction(
      (part: string, wanted: string) =>
        document.querySelector<HTMLElement>(part)?.innerText.includes(wanted) ?? false,
      {},
      SUMMARY,
      text,
    );
  }
  return screen.page.$eval(SUMMARY, (part) => (part as HTMLElement).innerText);
}
const offers = (screen: Screen) =>
  screen.page.$$eval(`${SUMMARY} button`, (buttons) => buttons.map((button) => button.textContent));
const fieldOf = (screen: Screen, label: string) =>
  screen.page.evaluate((wanted: string) => {
    const labels = [...document.querySelectorAll('label')];
    const field = labels.find((each) => each.textContent === wanted)?.control as HTMLInputElement | null;
    return field && { value: field.value, min: field.min, max: field.max };
  }, label);
/** Pays with the dialog's button, after which the page reloads. */
async function payHere(screen: Screen, price: string): Promise<void> {
  await screen.press('Make Payment');
  const loaded = screen.page.waitForNavigation({ timeout: 20_000 });
  await screen.press(`Pay ${price}`);
  await loaded;
}

it('[PAY-007] [PAY-008] [PAY-009] [PAY-010] [PAY-011] [PAY-012] [PAY-013] [PAY-014] [PAY-015] the dialog offers the actions of the payment’s state, up to completed', async () => {
  const { screen } = owner;
  const sent: { path: string; body: unknown }[] = [];
  for (const { page } of [owner.screen, guest.screen]) {
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (request.method() === 'POST' && path.startsWith('/api/payments/'))
        sent.push({ path, body: JSON.parse(request.postData() ?? '{}') as unknown });
    });
  }
  const id = await createDocument(owner.person);
  const manage = `/document/${id}?manage=payments`;
  const call = (name: string) => `/api/payments/document/${id}/${name}`;

  // Before the approval: the price, without setup and payment.
  await screen.goto(manage);
  await says(screen, 'Total', '₹7.00', '7 days', '₹1', 'Paid so far', '₹0.00', 'Pending');
  await says(screen, 'The distribution can be set up once the document is approved.');
  expect(await offers(screen)).toEqual([]);

  // not_setup: only the setup.
  await agree(owner.person, guest.person, id);
  await screen.goto(manage);
  await says(screen, 'Enter the percentage that each person pays', 'Together 100%');
  expect(await offers(screen)).toEqual(['Set up distribution']);
  await screen.fill('Asha Rao', '150');
  expect(await fieldOf(screen, 'Asha Rao')).toEqual({ value: '100', min: '0', max: '100' });
  await screen.fill('Vikram Shah', '-5');
  expect(await fieldOf(screen, 'Vikram Shah')).toEqual({ value: '0', min: '0', max: '100' });

  await screen.fill('Asha Rao', '60');
  await screen.fill('Vikram Shah', '50');
  await says(screen, 'Together 110%', 'Total percentage cannot exceed 100%');
  await screen.press('Set up distribution');
  await screen.sees(/cannot exceed 100%[^]*cannot exceed 100%/);
  await screen.fill('Vikram Shah', '39.98');
  expect(await says(screen, 'Together 99.98%')).not.toContain('cannot exceed');
  await screen.press('Set up distribution');
  await screen.sees('Total percentage must equal 100%');
  expect(sent).toEqual([]);
  await screen.fill('Vikram Shah', '40');
  await screen.page.setViewport(PHONE);
  await screen.page.setViewport(WIDE);
  await screen.press('Set up distribution');
  await says(screen, '60% · ₹4.20', '40% · ₹2.80', 'Not paid yet');
  expect(sent.splice(0)).toEqual([
    {
      path: call('setup-distribution'),
      body: {
        document_id: id,
        payment_distributions: [
          { user_id: owner.person.userId, percentage: 60 },
          { user_id: guest.person.userId, percentage: 40 },
        ],
        total_amount: 7,
        duration_days: 7,
      },
    },
  ]);

  // distributed: each user pays a share here, then waits for the other.
  expect(await offers(screen)).toEqual(['Make Payment', 'Change distribution']);
  await guest.screen.goto(manage);
  await says(guest.screen, '40% · ₹2.80');
  expect(await offers(guest.screen)).toEqual(['Make Payment']);
  await payHere(guest.screen, '₹2.80');
  await says(guest.screen, 'Partial', 'Your share is paid. The others still have to pay theirs.');
  expect(await offers(guest.screen)).toEqual([]);
  await screen.page.reload();
  await says(screen, 'Partial', '₹2.80');
  expect(await offers(screen)).toEqual(['Make Payment']);
  await payHere(screen, '₹4.20');

  // completed: no action.
  await says(screen, 'Completed');
  expect(await offers(screen)).toEqual([]);
  expect(sent).toEqual([
    { path: call('pay'), body: {} },
    { path: call('pay'), body: {} },
  ]);
});
