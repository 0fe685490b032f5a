/** What people have entered and who they deal with, told before it is too late: half a form, a wrong ID, a wrong code. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { launchChromium, type TestBrowser } from '@karaar/testing/chromium';
import { idCardPng } from '@karaar/testing/faces';
import { createDocument } from '../src/journey.ts';
import { heading, PHONE, withScreen, type World } from '../src/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { freshPhone } from '../src/signed-in.ts';
import type { Screen } from '../src/screen.ts';

jest.setTimeout(120_000);

let chromium: TestBrowser;
let world: World;
let folder: string;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  chromium = await launchChromium();
  world = { url: sharedProduct.url, browser: chromium.browser };
  folder = await mkdtemp(join(tmpdir(), 'karaar-mid-flow-'));
  [owner, guest] = await Promise.all([
    newPerson(world.url, 'Asha Rao', freshPhone()),
    newPerson(world.url, 'Vikram Shah', freshPhone()),
  ]);
}, 60_000);
afterAll(async () => {
  await chromium.close();
  await rm(folder, { recursive: true });
});

const valueOf = ({ page }: Screen, name: string) =>
  page.$eval(`main [name=${name}]`, (field) => (field as HTMLInputElement).value);

it('half an agreement is there again after a step back and after a reload, until somebody starts over or signs out', async () => {
  const file = join(folder, 'lease.pdf');
  await writeFile(file, '%PDF-1.4');
  const writer = await newPerson(world.url, 'Meera Nair', freshPhone());
  await withScreen(world, { path: '/dashboard', as: writer, viewport: PHONE }, async (screen) => {
    const { page, press, sees } = screen;
    await press('Create Document', 'link');
    const text = () => page.evaluate(() => document.body.innerText);
    await screen.fill('Document name', 'Lease of a shop');
    await screen.upload('input[name=raw_documents]', [file]);
    await sees('lease.pdf');
    await press('Add Page');
    // A number can be typed over: nothing is put into the field meanwhile.
    await screen.fill('Page', '');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('12');
    expect(await page.$eval('input[type=number]', (field) => (field as HTMLInputElement).value)).toBe('12');

    await page.goBack();
    await heading(page, 'Dashboard');
    await page.goForward();
    await sees('What you entered before is still here.');
    expect(await valueOf(screen, 'name')).toBe('Lease of a shop');
    await sees('lease.pdf');
    // Words outlive the page, files do not: they are chosen again.
    await page.reload();
    await sees('What you entered before is still here.');
    expect(await valueOf(screen, 'name')).toBe('Lease of a shop');
    expect(await page.$eval('input[type=number]', (field) => (field as HTMLInputElement).value)).toBe('12');
    await press('Start over');
    expect(await valueOf(screen, 'name')).toBe('');
    expect(await text()).not.toContain('What you entered before');

    await screen.fill('Document name', 'Not for the next one');
    await press('Open menu');
    await press('Logout');
    await screen.isAt(/^\/login$/);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('the next one');
  });
});

it('says whose user ID was typed, before anything is created', async () => {
  await withScreen(world, { path: '/document/create', as: owner }, async (screen) => {
    await screen.fill('User ID of the other party', guest.charId.toLowerCase());
    await screen.sees('This is Vikram Shah.');
    await screen.fill('User ID of the other party', owner.charId);
    await screen.sees("This is your own ID. Enter the other party's.");
    // No code has these letters.
    await screen.fill('User ID of the other party', 'ILOUILOU');
    await screen.sees('No user has this ID. Check it with the other person.');
  });
});

it('says what a document code leads to, before anybody stands before the camera', async () => {
  const id = await createDocument(owner);
  const code = String((await owner.call('GET', `/documents/${id}`)).body['document_code']);
  const look = (typed: string, as: Person, says: string) =>
    withScreen(world, { path: `/join-document?code=${typed}`, as, viewport: PHONE }, async (screen) => {
      await screen.press('Join Document');
      await screen.sees('Document Verification Required');
      await screen.sees(says);
      await screen.picture(`join-look-up-${as.name}`);
    });
  await look(code, guest, 'You ask to join “Rent agreement”, created by Asha Rao.');
  await look(code, owner, 'This user is already part of the document.');
  await look('ILOUILOU', guest, 'No document has this code. Check it with the person who sent it.');
});

it('who has just registered finds the phone number on the sign-in page', async () => {
  const phone = freshPhone().slice(3);
  const image = join(folder, 'id.png');
  await writeFile(image, await idCardPng());
  await withScreen(world, { path: '/register', viewport: PHONE }, async (screen) => {
    const fields = { 'Full name': 'Meera Nair', 'E-mail': `${phone}@example.net`, 'Phone number': phone };
    for (const [label, text] of Object.entries({ ...fields, City: 'Kochi', State: 'Kerala' }))
      await screen.fill(label, text);
    await screen.choose('ID type', 'PAN');
    await screen.fill('ID number', 'ABCDE1234F');
    await screen.upload('input[type=file]', [image]);
    await screen.press('Register');
    await heading(screen.page, 'Sign in');
    expect(await screen.page.$eval('main input', (field) => field.value.replaceAll(' ', ''))).toBe(phone);
  });
});

it('prints what is read: in dark letters on white, without the frame and without buttons', async () => {
  const id = await createDocument(owner);
  const storage = { theme: 'dark' };
  await withScreen(world, { path: `/document/${id}`, as: owner, storage }, async (screen) => {
    await screen.sees('Involved Users');
    const colour = () => screen.page.$eval('main h1', (title) => getComputedStyle(title).color);
    expect(await colour()).toBe('rgb(242, 237, 226)');
    await screen.page.emulateMediaType('print');
    expect(await colour()).toBe('rgb(27, 26, 23)');
    const shown = await screen.page.$$eval('aside nav, header, main button, main h1', (parts) =>
      parts.filter((part) => part.checkVisibility()).map((part) => part.tagName),
    );
    expect(shown).toEqual(expect.arrayContaining(['H1']));
    expect(shown.filter((tag) => tag === 'BUTTON' || tag === 'NAV')).toEqual([]);
    await screen.picture('print-document');
  });
});

it('the way back leads out of a dialog step by step, and not off the page with everything in it', async () => {
  await withScreen(world, { path: '/dashboard', as: guest, viewport: PHONE }, async (screen) => {
    const { page, press, sees } = screen;
    await press('Join Document', 'link');
    await screen.fill('Document code', 'ILOUILOU');
    await press('Join Document');
    await sees('Document Verification Required');
    const focusIn = (selector: string) =>
      page.waitForFunction((within: string) => document.activeElement?.matches(within), {}, selector);
    await press('Capture Now: Profile photo');
    await sees('Capture your profile photo');
    // What had the focus is gone with the step before; the dialog has it, not the page behind.
    await focusIn('[role=dialog], [role=dialog] *');
    await page.goBack();
    await sees('Document Verification Required');
    await focusIn('[role=dialog], [role=dialog] *');
    await page.goBack();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await screen.isAt(/^\/document\/join$/);
    // Closed by its own button it leaves nothing behind: one step back is the page before.
    await press('Join Document');
    await sees('Document Verification Required');
    await press('Cancel');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await focusIn('main form button[type=submit]');
    await page.waitForFunction(() => (history.state as { dialog?: string }).dialog !== 'open');
    await page.goBack();
    await screen.isAt(/^\/dashboard$/);
  });
});
