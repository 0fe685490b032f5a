/** The wallet's list of payments, its claim of a missing top-up, and its link to the daily rate. */
import { jest } from '@jest/globals';
import { heading } from '../src/browser/opened.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const { browser } = await openBrowser();
const asha = await signedIn(browser, sharedProduct.url, 'Asha Rao', { width: 1280, height: 800 });

it('lists the user’s payments, refuses the claim of an unknown payment, and links to the daily rate', async () => {
  const { goto, sees, press, fill, page } = asha.screen;
  await goto('/wallet');
  await heading(page, 'Wallet');
  await sees('Your payments');
  await sees('No payments yet');
  await press('Top-up missing?');
  await fill('Amount in INR', '0.50');
  await fill('Payment ID', 'pay_NotThere00001');
  await press('Claim top-up');
  await sees('Please enter a valid amount');
  await fill('Amount in INR', '50');
  await press('Claim top-up');
  await sees('No captured payment of yours has this receipt.');
  await press('Cancel');
  await press('What a day costs', 'link');
  await asha.screen.isAt(/^\/pricing$/);
  await heading(page, 'Pricing');
});
