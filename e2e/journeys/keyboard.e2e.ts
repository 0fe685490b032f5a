/** The main jobs by the keyboard alone. Most requests fail once, with an answer without a text. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { idCardPng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { frames } from '../src/browser/cameras.ts';
import { createDocument, invite } from '../src/journey.ts';
import { failing, SILENT } from '../src/browser/failing.ts';
import { keyboardOf, type Keyboard } from '../src/browser/keyboard.ts';
import { PHONE, WIDE } from '../src/browser/opened.ts';
import { codeTo, freshPhone, newPerson, type Person } from '../src/person.ts';
import { openScreen, type Screen } from '../src/browser/screen.ts';
import { sharedProduct as product } from '../src/shared-product/index.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(180_000);

const folder = await newFolder();
const files = { idCard: join(folder, 'id.png'), pdf: join(folder, 'rent.pdf') };
await writeFile(files.idCard, await idCardPng());
await writeFile(files.pdf, await textPdf('The rent is ten thousand rupees'));
const camera = await frames({ width: 1280, height: 720 });
// A browser each, because only the front page of a browser paints.
const browsers = await Promise.all([openBrowser({ camera }), openBrowser({ camera })]);

type Hands = Screen & { keys: Keyboard };

/** Opens a page in one of the browsers, with the session of a user. */
async function sit(at: 0 | 1, viewport: { width: number; height: number }, person?: Person): Promise<Hands> {
  const browser = browsers[at]?.browser;
  if (!browser) throw new Error('two browsers are needed');
  const screen = await openScreen(browser, product.url, viewport);
  if (person) {
    await screen.goto('/robots.txt');
    await screen.page.evaluate((token: string) => localStorage.setItem('token', token), person.token);
  }
  return { ...screen, keys: keyboardOf(screen.page) };
}

async function takePhotos({ keys, sees }: Hands): Promise<void> {
  for (const photo of ['profile', 'eye']) {
    await sees(`Capture your ${photo} photo`);
    await keys.press('Capture');
    await keys.press('Submit Photo');
  }
  await sees('Verification Documents');
}

/** Chooses a way of signing with the arrow keys. */
async function wayOfSigning({ keys, page }: Hands, way: 'Type' | 'Upload'): Promise<void> {
  await keys.fill('Draw', '');
  for (let i = 0; i < (way === 'Type' ? 1 : 2); i += 1) await page.keyboard.press('ArrowRight');
}

async function signByTyping(hands: Hands, name: string): Promise<void> {
  await wayOfSigning(hands, 'Type');
  await hands.keys.fill('Your name as you sign it', name);
  await hands.keys.press('Save Signature');
  await hands.sees('signature.png');
}

it('[ERROR-009] [ERROR-018] [ERROR-029] [ERROR-030] [ERROR-047] two people agree, pay and seal by the keyboard alone', async () => {
  const guest = await newPerson(product.url, 'Vikram Shah');
  const phone = freshPhone();
  const owner = await sit(0, WIDE);
  const { keys, sees, isAt, page } = owner;
  const healRegister = await failing(page, { 'POST /auth/register$': SILENT });

  await owner.goto('/login');
  await keys.press('Create an account');
  for (const [label, text] of [
    ['Full name', 'Meera Nair'],
    ['E-mail', `${phone.slice(1)}@example.org`],
    ['Phone number', phone.slice(3)],
    ['City', 'Kochi'],
    ['State', 'Kerala'],
    ['ID type', 'PAN'],
    ['ID number', 'ABCDE1234F'],
  ] as const)
    await keys.fill(label, text);
  await keys.choose('Government ID image', [files.idCard]);
  await keys.press('Register');
  await toastIs(page, 'Registration failed');
  await healRegister();
  await keys.press('Register');
  await toastIs(page, 'Registration successful! Please login with OTP.');
  await isAt(/^\/login$/);

  await sees('One-time code (OTP)');
  await keys.fill('Phone number', phone.slice(3));
  await keys.press('Send OTP');
  await sees(/Send again in \d+ s/);
  // The focus has moved to the code.
  await page.keyboard.type(await codeTo(product.url, phone));
  await isAt(/^\/dashboard$/);
  await toastIs(page, 'Login successful!');

  await keys.press('Create Document');
  await keys.fill('Document name', 'Rent agreement');
  await keys.choose('Drop your documents here or choose files', [files.pdf]);
  await keys.press('Continue');
  await keys.fill('User ID of the other party', guest.charId);
  await keys.press('Continue');
  await sees('Terms and price');
  await keys.press('Continue');
  // The form is complete, so the camera opens.
  await takePhotos(owner);
  await signByTyping(owner, 'Meera Nair');
  const healCreate = await failing(page, { 'POST /documents/(create|[^/]+/submit)$': SILENT });
  await keys.press('Complete Verification');
  await toastIs(page, 'Failed to create document');
  await healCreate();
  await keys.press('Create Agreement');
  await keys.press('Complete Verification');
  await sees('Your document code');
  await isAt(/^\/document\/[0-9a-f-]{36}$/);

  const other = await sit(1, PHONE, guest);
  await other.goto('/dashboard');
  await other.keys.press('Pending Agreements (1)');
  await other.keys.press('Accept');
  await other.keys.press('Continue to verification');
  await other.keys.press('Capture Now: Profile photo');
  await takePhotos(other);
  await other.keys.choose('Upload fingerprint image', [files.idCard]);
  await wayOfSigning(other, 'Upload');
  await other.keys.choose('Upload a signature image instead', [files.idCard]);
  await other.sees('signature.png');
  const healCall = await failing(other.page, { 'POST /respond-agreement$': SILENT });
  await other.keys.press('Complete Verification');
  await toastIs(other.page, 'Failed to accept agreement');
  await healCall();
  // A successful answer that cannot be read.
  const healAnswer = await failing(other.page, { 'POST /respond-agreement$': { status: 200, body: 'null' } });
  await other.keys.press('Complete Verification');
  await toastIs(other.page, 'Failed to process agreement response');
  await healAnswer();
  await other.keys.press('Complete Verification');
  await other.sees('You accepted the agreement.');
  await other.close();

  await keys.press('Approve Document');
  await sees('Document approved');
  const detail = new URL(page.url()).pathname;
  await owner.goto('/wallet');
  await keys.press('Add Funds');
  await keys.fill('Amount in INR', '50');
  await keys.press('Continue to payment');
  await owner.pressInCheckout('Pay ₹50.00');
  await sees('₹50.00 added to your wallet');
  await owner.goto(detail);
  await keys.press('Pay from Wallet');
  await page.evaluate(() => Object.assign(window, { beforePayment: true }));
  await keys.press('Pay ₹1');
  await page.waitForFunction(() => !('beforePayment' in window));
  await sees('Paid');
  await keys.press('Finalize Document');
  await keys.press('Continue');
  await sees('This document is finalized and can no longer be changed.', 60_000);
  await owner.close();
});

it('[ERROR-022] [ERROR-026] a user joins and edits the profile, and a party verifies and approves, by the keyboard alone', async () => {
  const [owner, joiner, party] = await Promise.all([
    newPerson(product.url, 'Asha Rao'),
    newPerson(product.url, 'Ravi Kumar'),
    newPerson(product.url, 'Farida Khan'),
  ]);
  const id = await createDocument(owner);
  const { body } = await owner.call('GET', `/documents/${id}`);
  await invite(owner, party, id);
  await Promise.all([joins(joiner, String(body['document_code'])), verifies(party, id)]);
});

async function joins(person: Person, code: string): Promise<void> {
  const hands = await sit(0, PHONE, person);
  const { keys, sees, page, isAt } = hands;
  await hands.goto('/document/join');
  await keys.fill('Document code', code);
  await page.keyboard.press('Enter');
  await keys.press('Capture Now: Profile photo');
  await takePhotos(hands);
  await signByTyping(hands, person.name);
  const heal = await failing(page, { 'POST /documents/join$': SILENT });
  await keys.press('Complete Verification');
  await toastIs(page, 'Failed to join document');
  await heal();
  await keys.press('Complete Verification');
  await isAt(/^\/dashboard$/);

  await keys.press('Open menu');
  await keys.press('Profile');
  await keys.press('Edit');
  await keys.fill('City', 'Thrissur');
  await page.keyboard.press('Enter');
  await toastIs(page, 'Profile updated successfully');
  await sees('Thrissur');
  await hands.close();
}

async function verifies(person: Person, id: string): Promise<void> {
  const hands = await sit(1, WIDE, person);
  const { keys, page } = hands;
  await hands.goto(`/document/${id}`);
  await keys.press('Verify & Approve Yourself');
  await keys.press('Capture Now: Profile photo');
  await takePhotos(hands);
  await signByTyping(hands, person.name);
  const heal = await failing(page, { 'POST /self-verify-approve$': SILENT });
  await keys.press('Complete Verification');
  await toastIs(page, 'Failed to verify and approve');
  await heal();
  await keys.press('Complete Verification');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await hands.close();
}
