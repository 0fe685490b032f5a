/** The main job in two browsers, only over the screens. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { idCardPng } from '@karaar/testing/faces/faces';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { frames } from '../src/browser/cameras.ts';
import { inDatabase } from '../src/database.ts';
import { asked, callsOf } from '../src/browser/api-calls.ts';
import { inspectPdf } from '../src/pdf.ts';
import { openScreen, type Screen } from '../src/browser/screen.ts';
import { sharedProduct as product } from '../src/shared-product/index.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(300_000);

const TEXTS = [
  'The rent is ten thousand rupees',
  'The second page says more',
  'The deposit is returned at the end',
];
const RAW_PAGES = 4;

const folder = await newFolder();
const camera = await frames({ width: 1280, height: 720 });
// A browser each, because only the front page of a browser paints.
const [first, second] = await Promise.all([openBrowser({ camera }), openBrowser({ camera })]);
const owner = await openScreen(first.browser, product.url, WIDE);
const guest = await openScreen(second.browser, product.url, PHONE);

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function register(screen: Screen, person: { name: string; phone: string }): Promise<void> {
  await screen.goto('/register');
  await screen.fill('Full name', person.name);
  await screen.fill('E-mail', `${person.phone}@example.org`);
  await screen.fill('Phone number', person.phone);
  await screen.fill('City', 'Pune');
  await screen.fill('State', 'Maharashtra');
  await screen.choose('ID type', 'PAN');
  await screen.fill('ID number', 'ABCDE1234F');
  await screen.upload('input[type=file]', [await file(`id-${person.phone}.png`, await idCardPng())]);
  await screen.press('Register');
  await screen.isAt(/^\/login$/);
  await toastIs(screen.page, 'Registration successful! Please login with OTP.');
}

/** Signs in with the code from the phone's inbox. @returns the user's 8-character ID */
async function signIn(screen: Screen, phone: string): Promise<string> {
  // The address changes before the screen, and the previous screen has a phone field too.
  await screen.sees('One-time code (OTP)');
  await screen.fill('Phone number', phone);
  await screen.press('Send OTP');
  await screen.sees(/Send again in \d+ s/);
  const inbox = await fetch(`${product.url}/dev/sms?phone_no=${encodeURIComponent(`+91${phone}`)}`);
  // A notification may have come after the code.
  const text = ((await inbox.json()) as { code: string | null }[]).find(({ code }) => code !== null);
  await screen.fill('One-time code (OTP)', text?.code ?? '');
  await screen.isAt(/^\/dashboard$/);
  return screen.page.evaluate(() => {
    const records = Object.keys(localStorage).map((key) => localStorage.getItem(key) ?? '');
    return /"char_id":"([0-9A-Z]{8})"/.exec(records.join())?.[1] ?? '';
  });
}

/** Takes and submits the profile photo and the eye photo, which the server checks. */
async function capture(screen: Screen): Promise<void> {
  for (const photo of ['profile', 'eye']) {
    await screen.sees(`Capture your ${photo} photo`);
    await screen.press('Capture');
    await screen.press('Submit Photo');
  }
}

async function signAndComplete(screen: Screen): Promise<void> {
  await screen.sees('Document Verification Required');
  await screen.sign();
  await screen.press('Save Signature');
  await screen.sees('signature.png');
  await screen.press('Complete Verification');
}

it('[AUTH-007] [AUTH-019] [DOC-021] [CAPTURE-019] [CAPTURE-020] [WALLET-009] [WALLET-012] [FINAL-003] two people make an agreement in the browser and get a sealed PDF', async () => {
  await Promise.all([
    register(owner, { name: 'Meera Nair', phone: '9600000001' }),
    register(guest, { name: 'विक्रम शाह', phone: '9600000002' }),
  ]);
  const calls = callsOf(owner.page);
  await signIn(owner, '9600000001');
  const guestId = await signIn(guest, '9600000002');
  expect(guestId).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);

  await owner.press('Create Document', 'link');
  await owner.fill('Document name', 'Rent agreement');
  await owner.fill('Location', 'Pune');
  await owner.fill('Description', 'Two rooms on the second floor');
  await owner.upload('input[type=file]', [
    await file('rent.pdf', await textPdf(TEXTS[0] ?? '', TEXTS[1] ?? '')),
    await file('deposit.docx', docx([TEXTS[2] ?? ''])),
    await file('plan.png', await idCardPng('FLOOR PLAN')),
  ]);
  await owner.press('People');
  await owner.fill('User ID of the other party', guestId);
  await owner.sees('This is विक्रम शाह.');
  await owner.press('Sign');
  await owner.press('Create Agreement');
  await capture(owner);
  await signAndComplete(owner);
  await owner.sees('Your document code', 60_000);
  await owner.isAt(/^\/document\/[0-9a-f-]{36}$/);
  const detail = new URL(owner.page.url()).pathname;
  const documentId = detail.split('/').at(-1);
  const invitations = asked(calls, 'POST /api/documents/initiate-agreement');
  expect(invitations.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    expect.objectContaining({ document_id: documentId, target_user_char_id: guestId }),
  ]);
  await owner.sees('Rent agreement');

  await guest.goto('/dashboard');
  await guest.press('Pending Agreements (1)');
  await guest.sees('Pending Agreement Requests');
  await guest.press('Accept');
  await guest.sees('Read before you accept');
  await guest.sees('Page 1 of 2');
  await guest.press('Continue to verification');
  await guest.press('Capture Now: Profile photo');
  await capture(guest);
  await guest.upload('input[name=thumb]', [await file('thumb.png', await idCardPng('THUMB'))]);
  await signAndComplete(guest);
  await guest.sees('You accepted the agreement.', 60_000);

  await owner.page.reload();
  await owner.press('Approve Document');
  await owner.sees('Document approved');

  await owner.goto('/wallet');
  const balance = (text: string) =>
    owner.page.waitForSelector(`main section[aria-label="Balance"] ::-p-text(${text})`);
  await balance('₹0.00');
  await owner.press('Add Funds');
  await owner.fill('Amount in INR', '100');
  await owner.press('Continue to payment');
  await owner.pressInCheckout('Pay ₹100.00');
  await toastIs(owner.page, '₹100.00 added to your wallet');
  await balance('₹100.00');
  const orders = asked(calls, 'POST /api/wallet/create-razorpay-order');
  expect(orders.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ amount: 100 }]);

  await owner.goto(detail);
  await owner.press('Pay from Wallet');
  // The page reloads after a payment, which closes dialogs.
  await owner.page.evaluate(() => Object.assign(window, { beforePayment: true }));
  await owner.press('Pay ₹1');
  await owner.page.waitForFunction(() => !('beforePayment' in window));
  await owner.sees('Paid', 60_000);

  await owner.press('Finalize Document');
  await owner.says('Once finalized, you will not be able to edit this document anymore. Continue?');
  const finalizing = `PATCH /api/documents/${documentId}/finalize`;
  expect(asked(calls, finalizing)).toEqual([]);
  await owner.press('Continue');
  await owner.sees('This document is finalized and can no longer be changed.', 120_000);
  expect(asked(calls, finalizing)).toHaveLength(1);

  // The guest gets the same file, and poppler verifies its seal.
  await guest.goto(detail);
  await guest.sees('This document is finalized and can no longer be changed.');
  const [seenByOwner, seenByGuest] = await Promise.all([finalPdf(owner, detail), finalPdf(guest, detail)]);
  expect(Buffer.from(seenByOwner).equals(seenByGuest)).toBe(true);
  const facts = await inspectPdf(seenByOwner);
  expect(facts.seal).toContain('Signature is Valid');
  expect(facts.seal).toContain('Total document signed');
  // The page groups IDs 4-4, and lines may break anywhere.
  const dense = facts.text.replaceAll(/\s/g, '');
  for (const text of [...TEXTS, 'Rent agreement', 'Meera Nair', guestId]) {
    expect(dense).toContain(text.replaceAll(' ', ''));
  }
  const parts = await pageCounts(detail);
  expect(parts.raw).toBe(RAW_PAGES);
  expect(Math.min(parts.agreement, parts.signatures, parts.certificate)).toBeGreaterThanOrEqual(1);
  expect(facts.pages).toBe(parts.agreement + parts.raw + parts.signatures + parts.certificate);
});

/** Fetches the final PDF in the page, with the token of its local storage. */
async function finalPdf(screen: Screen, detail: string): Promise<Uint8Array> {
  const base64 = await screen.page.evaluate(
    async (id: string) => {
      const token = Object.values(localStorage).find((value: string) =>
        /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(value),
      );
      const response = await fetch(`/api/documents/${id}/final-pdf`, {
        headers: { authorization: `Bearer ${String(token)}` },
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    detail.split('/').at(-1) ?? '',
  );
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

type PageCounts = { agreement: number; raw: number; signatures: number; certificate: number };

/** Returns the number of pages of each part, from the documents service's record. */
async function pageCounts(detail: string): Promise<PageCounts> {
  const [row] = await inDatabase<{ final_pages: PageCounts }>(
    product.postgresUrl,
    'documents',
    'SELECT final_pages FROM documents WHERE id = $1',
    [detail.split('/').at(-1)],
  );
  if (!row) throw new Error('the document is not on record');
  return row.final_pages;
}
