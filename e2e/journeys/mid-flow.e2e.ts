/** Unfinished forms are kept, and wrong IDs and codes are reported early. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { idCardPng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { listIn } from '@karaar/testing/list-in';
import { codeOf, createDocument } from '../src/journey.ts';
import { DESKTOP, heading, PHONE, withScreen } from '../src/browser/opened.ts';
import { freshPhone, newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const world = await openBrowser();
const folder = await newFolder();
const [owner, guest] = await Promise.all([
  newPerson(world.url, 'Asha Rao'),
  newPerson(world.url, 'Vikram Shah'),
]);

const valueOf = ({ page }: Screen, name: string) =>
  page.$eval(`main [name=${name}]`, (field) => (field as HTMLInputElement).value);

it('an unfinished agreement is saved automatically with its files, and restored after Back, a reload and from the dashboard', async () => {
  const file = join(folder, 'shop_lease-2026.pdf');
  await writeFile(file, await textPdf('Lease of a shop'));
  const writer = await newPerson(world.url, 'Meera Nair');
  await withScreen(world, { path: '/dashboard', as: writer, viewport: PHONE }, async (screen) => {
    const { page, press, sees } = screen;
    await press('Create Document', 'link');
    await screen.upload('input[name=raw_documents]', [file]);
    await screen.until('the name of the file', () => {
      const field = document.querySelector<HTMLInputElement>('main [name=name]');
      return field?.value === 'shop lease 2026';
    });
    await screen.fill('Document name', 'Lease of a shop');
    await press('Add Page');
    // The field stays empty while the user replaces its number.
    await screen.fill('Page', '');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('12');
    expect(await page.$eval('input[inputmode=numeric]', (field) => (field as HTMLInputElement).value)).toBe(
      '12',
    );
    const pageNo = () => page.$eval('input[inputmode=numeric]', (field) => (field as HTMLInputElement).value);
    const savedWithFile = () =>
      screen.until('a draft with its file', () => {
        const rows = [...document.querySelectorAll('ul[aria-label=Documents] > li')];
        return (
          document.body.innerText.includes('Saved as a draft') &&
          new URLSearchParams(location.search).has('draft') &&
          rows.length === 1 &&
          (rows[0]?.textContent?.includes('1 page, ready') ?? false)
        );
      });
    await savedWithFile();

    await press('Continue');
    await sees('Agreement Details');
    await page.goBack();
    await sees('Page Details');
    expect(await valueOf(screen, 'name')).toBe('Lease of a shop');
    await page.reload();
    await savedWithFile();
    expect([await valueOf(screen, 'name'), await pageNo()]).toEqual(['Lease of a shop', '12']);

    await press('Open menu');
    await press('Dashboard', 'link');
    await sees('Draft, not sent yet');
    await press('Continue: Lease of a shop', 'link');
    await savedWithFile();
    expect(await valueOf(screen, 'name')).toBe('Lease of a shop');

    // Create Document starts a second, empty form.
    await press('Open menu');
    await press('Create Document', 'link');
    await screen.until('an empty form', () => {
      const field = document.querySelector<HTMLInputElement>('main [name=name]');
      return field?.value === '';
    });
    const { body } = await writer.call('GET', '/documents/my-documents');
    expect(listIn<object>(body)).toEqual([
      expect.objectContaining({ name: 'Lease of a shop', status: 'draft' }),
    ]);
    await press('Open menu');
    await press('Logout');
    await screen.isAt(/^\/login$/);
    await screen.settled();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Lease of a shop');
  });
});

it.each([
  ['on a desktop in English', DESKTOP, 'en'],
  ['on a phone in Hindi', PHONE, 'hi'],
] as const)(
  'shows the price while dates are typed, and an error at the field of a wrong date, %s',
  async (_, viewport, language) => {
    const said = {
      en: {
        year: '1 Dec 2026 – 31 Oct 2027 · 335 days · ₹335 · you pay',
        wrong: 'The end date is before the start date. Choose a later one.',
      },
      hi: {
        year: '335 दिन · ₹335 · आप भुगतान करेंगे',
        wrong: 'समाप्ति तारीख शुरू की तारीख से पहले है। बाद की तारीख चुनें।',
      },
    }[language];
    const writer = await newPerson(world.url, 'Meera Nair');
    await writer.send('/users/profile', { language }, { method: 'PUT' });
    await withScreen(
      world,
      { path: '/document/create?step=terms', as: writer, viewport, storage: { language } },
      async (screen) => {
        const { page, sees } = screen;
        const type = async (name: string, day: string) => {
          const field = await page.waitForSelector(`input[name=${name}]`);
          await field?.evaluate((input, value) => {
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
            set?.call(input, value);
            input.dispatchEvent(new Event('input', { bubbles: true }));
          }, day);
        };
        await type('start_date', '2026-12-01');
        await type('end_date', '2027-10-31');
        await sees(said.year);
        await type('end_date', '2026-11-30');
        await sees(said.wrong);
        expect(await page.$$('[role=dialog]')).toEqual([]);
        const submit = await page.waitForSelector('main form button[type=submit]');
        await submit?.click();
        await screen.until(
          'the focus at the end date',
          () => document.activeElement?.getAttribute('name') === 'end_date',
        );
        await type('end_date', '2026-12-01');
        await sees(/1 (day|दिन) · ₹1 /);
      },
    );
  },
);

it('shows the user of a typed ID before anything is created', async () => {
  await withScreen(world, { path: '/document/create?step=people', as: owner }, async (screen) => {
    await screen.fill('User ID of the other party', guest.charId.toLowerCase());
    await screen.sees('This is Vikram Shah.');
    await screen.fill('User ID of the other party', owner.charId);
    await screen.sees('This is your own ID. Enter the other party’s.');
    // IDs do not contain these letters.
    await screen.fill('User ID of the other party', 'ILOUILOU');
    await screen.sees('No user has this ID. Check it with the other person.');
  });
});

it('shows the document of a code before the camera opens', async () => {
  const id = await createDocument(owner);
  const code = await codeOf(owner, id);
  const look = (typed: string, as: Person, says: string, isFound = false) =>
    withScreen(world, { path: `/join-document?code=${typed}`, as, viewport: PHONE }, async (screen) => {
      await screen.press('Join Document');
      await screen.sees(says);
      if (isFound) await screen.sees('Document Verification Required');
      // A refusal shows an error at its field, which has the focus.
      else
        await screen.until('the fault at the field', () => {
          const field = document.activeElement;
          return field?.getAttribute('aria-invalid') === 'true' && !document.querySelector('[role=dialog]');
        });
    });
  await look(code, guest, 'You ask to join “Rent agreement”, created by Asha Rao.', true);
  await look(code, owner, 'You are already part of this document, or your request is waiting.');
  await look('ILOUILOU', guest, 'No document has this code. Check it with the person who sent it.');
});

it('the sign-in page has the phone number of a new user', async () => {
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

it('prints the page in dark letters on white, without layout and buttons', async () => {
  const id = await createDocument(owner);
  const storage = { theme: 'dark' };
  await withScreen(world, { path: `/document/${id}`, as: owner, storage }, async (screen) => {
    await screen.sees('Involved Users');
    await screen.settled();
    const colour = () => screen.page.$eval('main h1', (title) => getComputedStyle(title).color);
    expect(await colour()).toBe('rgb(242, 237, 226)');
    await screen.page.emulateMediaType('print');
    expect(await colour()).toBe('rgb(27, 26, 23)');
    const shown = await screen.page.$$eval('aside nav, header, main button, main h1', (parts) =>
      parts.filter((part) => part.checkVisibility()).map((part) => part.tagName),
    );
    expect(shown).toEqual(expect.arrayContaining(['H1']));
    expect(shown.filter((tag) => tag === 'BUTTON' || tag === 'NAV')).toEqual([]);
  });
});

it('Back leaves a dialog step by step, and not the page', async () => {
  const id = await createDocument(owner);
  const code = await codeOf(owner, id);
  await withScreen(world, { path: '/dashboard', as: guest, viewport: PHONE }, async (screen) => {
    const { page, press, sees } = screen;
    await press('Join Document', 'link');
    await screen.fill('Document code', code);
    await press('Join Document');
    await sees('Document Verification Required');
    const focusIn = (selector: string) =>
      page.waitForFunction((within: string) => document.activeElement?.matches(within), {}, selector);
    await press('Capture Now: Profile photo');
    await sees('Capture your profile photo');
    // The focus moves to the dialog, not to the page behind it.
    await focusIn('[role=dialog], [role=dialog] *');
    await page.goBack();
    await sees('Document Verification Required');
    await focusIn('[role=dialog], [role=dialog] *');
    await page.goBack();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await screen.isAt(/^\/document\/join$/);
    // A dialog closed by its button leaves no entry in the history.
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
