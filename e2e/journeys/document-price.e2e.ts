/** The price on the document page, before the signature and as a share, and a top-up with payment. */
import { jest } from '@jest/globals';
import { agree, balanceOf, createDocument, share } from '../src/journey.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const { browser } = await openBrowser();
const owner = await signedIn(browser, url, 'Asha Rao', WIDE);

const SIZES = [
  ['390 px', PHONE],
  ['1440 px', WIDE],
] as const;

const barSays = (screen: Screen, text: string) =>
  screen.page.waitForFunction(
    (wanted: string) =>
      document.querySelector<HTMLElement>('[data-next]')?.innerText.includes(wanted) ?? false,
    {},
    text,
  );

it.each(SIZES)(
  'at %s a guest sees the price before signing, then the share, and tops up and pays it in three taps',
  async (_, size) => {
    // A new user, whose wallet is empty.
    const guest = await signedIn(browser, url, 'Vikram Shah', size);
    const { screen, person } = guest;
    const id = await createDocument(owner.person);
    await owner.person.call('POST', `/documents/${id}/add-user`, { target_user_char_id: person.charId });
    await screen.goto(`/document/${id}`);
    await barSays(screen, 'Read and sign');
    await barSays(
      screen,
      'The price is ₹7 for 7 days. Asha Rao pays it, unless shares are set once everyone has approved.',
    );
    await screen.goto('/dashboard');
    await screen.press('Pending Agreements (1)');
    await screen.press('Accept');
    await screen.sees('Read before you accept');
    await screen.sees('The price is ₹7 for 7 days.');
    const gap = await screen.page.$$eval(
      '[role=dialog] dl',
      ([parties, terms]) =>
        Number(terms?.getBoundingClientRect().top) - Number(parties?.getBoundingClientRect().bottom),
    );
    expect(gap).toBeGreaterThanOrEqual(16);
    // The button is visible without scrolling the dialog.
    const button = await screen.page.waitForSelector('aria/Continue to verification[role="button"]');
    const below = await button?.evaluate(
      (element) => element.getBoundingClientRect().bottom - window.innerHeight,
    );
    expect(below).toBeLessThanOrEqual(0);

    await agree(owner.person, person, id);
    await share(owner.person, id, [
      [owner.person, 30],
      [person, 70],
    ]);
    await screen.goto(`/document/${id}`);
    await barSays(screen, 'Asha Rao has shared out the price. You pay ₹4.90: 70% of ₹7.');
    await share(owner.person, id, [
      [owner.person, 50],
      [person, 50],
    ]);
    await screen.goto('/notifications');
    await screen.sees(/Asha Rao has changed your share for “.+” from ₹4\.90 to ₹3\.50\./);
    await screen.goto(`/document/${id}`);
    await barSays(screen, 'Your share changed from ₹4.90 to ₹3.50.');
    await barSays(screen, 'Pay ₹3.50');
    await screen.press('Pay ₹3.50');
    await screen.sees('Your 50% of ₹7 for 7 days');
    await screen.sees('Insufficient wallet balance. Required: ₹3.50, Available: ₹0');
    await screen.press('Add ₹3.50 and pay');
    const loaded = screen.page.waitForNavigation({ timeout: 60_000 });
    await screen.pressInCheckout('Pay ₹3.50');
    await loaded;
    await barSays(screen, 'Waiting for Asha Rao to seal');
    expect(await balanceOf(guest.person)).toBe(0);
    const { body } = await person.call('GET', `/payments/document/${id}/payment-status`);
    expect(body).toMatchObject({ completed: false });
    await screen.close();
  },
);

it.each(SIZES)('at %s a cancelled checkout pays nothing, and the dialog stays open', async (_, size) => {
  const guest = await signedIn(browser, url, 'Meera Nair', size);
  const { screen, person } = guest;
  const id = await createDocument(person);
  await agree(person, owner.person, id);
  await screen.goto(`/document/${id}/payment`);
  await screen.press('Make Payment');
  await screen.sees('The whole amount for 7 days');
  await screen.press('Add ₹7 and pay');
  await screen.pressInCheckout('Cancel');
  await screen.sees('Payment cancelled by user.');
  await screen.sees('Add ₹7 and pay');
  expect(await balanceOf(guest.person)).toBe(0);
  await screen.press('Cancel');
  await screen.close();
});
