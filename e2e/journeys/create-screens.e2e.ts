/** The forms of Create Agreement and of joining by a code. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { idCardPng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { axe } from '../src/browser/axe.ts';
import { PHONE, sheet, WIDE } from '../src/browser/opened.ts';
import { codeOf, createDocument } from '../src/journey.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

/** An ID without a user. */
const TARGET = '7K3M9QXA';

const folder = await newFolder();
const { browser } = await openBrowser();
const other = await newPerson(sharedProduct.url, 'Vikram Shah');
const owner = await signedIn(browser, sharedProduct.url, 'Asha Rao', WIDE);

describe('Create Agreement', () => {
  const RAW = 'input[name=raw_documents]';
  /** Opens an empty form. */
  const open = async (screen: Screen) => {
    await screen.goto('/robots.txt');
    await screen.page.evaluate(() => sessionStorage.clear());
    await screen.goto('/document/create');
    await screen.sees('Document Details');
    await screen.settled();
  };
  /** Returns the state of the button, and its explanation while it is disabled. */
  const submit = ({ page }: Screen) =>
    page.$eval('main form button[type=submit]', (button) => ({
      disabled: (button as HTMLButtonElement).disabled,
      says: document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
    }));
  /** Drops files onto the upload, each with these bytes (base64). */
  const drop = ({ page }: Screen, files: Record<string, string>) =>
    page.$eval(
      RAW,
      (input, dropped) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of Object.entries(dropped))
          dataTransfer.items.add(
            new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name),
          );
        const how = { dataTransfer, bubbles: true, cancelable: true };
        input.parentElement?.dispatchEvent(new DragEvent('drop', how));
      },
      files,
    );
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  /** Returns type, name and status of each file in the list. */
  const rows = ({ page }: Screen) =>
    page.$$eval('ul[aria-label=Documents] > li', (files) =>
      files.map((file) => {
        const [kind, about] = file.children;
        return [kind, ...(about?.children ?? [])].slice(0, 3).map((part) => part?.textContent ?? '');
      }),
    );

  it('warns under the name of a document that the law keeps on paper', async () => {
    const { screen } = owner;
    await open(screen);
    await screen.fill('Document name', 'My will');
    const notice = '“My will” may need to be made on paper';
    await screen.says(notice);
    const [name, warning] = await Promise.all(
      ['input[name=name]', `::-p-text(${notice})`].map(async (found) =>
        (await screen.page.$(found))?.boundingBox(),
      ),
    );
    expect((warning?.y ?? 0) - (name?.y ?? 0)).toBeLessThan(120);
    await screen.fill('Document name', 'Goodwill');
    await screen.gone(notice);
  });

  it('does not take a wrong date for none, and takes one with any separator', async () => {
    const { screen } = owner;
    await open(screen);
    await screen.press('Terms and price');
    const start = 'input[name=start_date]';
    await screen.page.type(start, '31/02/2026');
    await screen.press('Continue');
    await screen.sees('Enter a day of the calendar');
    expect(new URL(screen.page.url()).searchParams.get('step')).toBe('terms');
    await screen.page.click(start, { count: 3 });
    await screen.page.type(start, '21-11-2026');
    expect(await screen.page.$eval(start, (field) => (field as HTMLInputElement).value)).toBe('21/11/2026');
    await screen.press('Continue');
    await screen.sees('What you sign');
  });

  it.each([PHONE, WIDE])(
    'completes a year of two digits, and has a calendar of the valid days: %o',
    async (viewport) => {
      const { screen } = owner;
      const { page, press, until } = screen;
      await page.setViewport(viewport);
      await open(screen);
      await press('Terms and price');
      const valueOf = (name: string) =>
        page.$eval(`input[name=${name}]`, (field) => (field as HTMLInputElement).value);
      await page.type('input[name=start_date]', '15/2/36');
      await press('Choose a day: End date');
      await until('the first valid day', () =>
        Boolean(
          document.activeElement?.matches('table button') && document.activeElement.textContent === '15',
        ),
      );
      expect(await valueOf('start_date')).toBe('15/02/2036');
      expect(await page.$$eval('table button:disabled:not([data-hidden])', (days) => days.length)).toBe(14);
      expect(await axe(page, 'all')).toEqual([]);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await until('the button has the focus again', () =>
        Boolean(document.activeElement?.getAttribute('aria-label')?.endsWith('End date')),
      );
      expect(await valueOf('end_date')).toBe('16/02/2036');
      await page.keyboard.press('Enter');
      await press('Next');
      await page.locator('[aria-label*=" 1 March 2036"]').click();
      await until('the dialog is closed', () => document.querySelector('[role=dialog]') === null);
      expect(await valueOf('end_date')).toBe('01/03/2036');
      await page.setViewport(WIDE);
    },
  );

  it('[DOC-001] [DOC-012] [DOC-013] [DOC-014] [DOC-015] [DOC-016] has its fields, and names the missing ones until its button is enabled', async () => {
    const { screen } = owner;
    await open(screen);
    const labels = () =>
      screen.page.$$eval('main label', (all) =>
        all.map((label) => [label.textContent?.replace(/ \(.*/, ''), label.control?.tagName]),
      );
    const step = async (name: string, of: string) => {
      await screen.press(name);
      await screen.sees(of);
    };
    expect(await labels()).toEqual([
      ['Drop your documents here or choose files', 'INPUT'],
      ['Document name', 'INPUT'],
      ['Location', 'INPUT'],
      ['Description', 'TEXTAREA'],
    ]);
    await step('Terms and price', 'Start date');
    expect(await labels()).toEqual([
      ['Start date', 'INPUT'],
      ['End date', 'INPUT'],
    ]);
    await step('Sign', 'Your verification');
    expect(await submit(screen)).toEqual({ disabled: true, says: 'Please enter a document name' });
    // The name of a missing field links to the field.
    await step('Please enter a document name', 'Document Details');
    await screen.fill('Document name', 'Orchard lease');
    await step('Sign', 'Your verification');
    const noTarget = 'Please enter a target user ID to create an agreement';
    expect(await submit(screen)).toEqual({ disabled: true, says: noTarget });
    await step('People', 'Agreement Details');
    expect(await sheet(screen, 'Agreement Details')).toContain('User ID of the other party');
    await screen.press('Continue');
    await screen.sees(noTarget);
    await screen.fill('User ID of the other party', `${TARGET.toLowerCase()}ZZ`);
    const target = await screen.page.$eval('input[name=target_user_char_id]', (field) => ({
      value: (field as HTMLInputElement).value,
      most: (field as HTMLInputElement).maxLength,
    }));
    expect(target).toEqual({ value: TARGET, most: 8 });
    // An unknown ID stops this step as well.
    await screen.sees('No user has this ID. Check it with the other person.');
    await screen.fill('User ID of the other party', other.charId);
    await screen.sees('This is Vikram Shah.');
    await step('Sign', 'Your verification');
    expect(await submit(screen)).toEqual({ disabled: true, says: 'Please upload at least one document' });
    await step('Document', 'Document Details');
    await drop(screen, { 'note.pdf': base64(await textPdf('A note')) });
    await screen.sees('1 page, ready');
    await step('Sign', 'Your verification');
    expect(await submit(screen)).toEqual({ disabled: false, says: null });
    await step('Document', 'note.pdf');
    await screen.press('Remove note.pdf');
    await screen.press('Continue');
    await screen.sees('Please upload at least one document');
  });

  it('[DOC-002] [DOC-003] [DOC-004] [DOC-005] lists pages by whole numbers from 1, and replaces other input by 1', async () => {
    const { screen } = owner;
    const { page } = screen;
    await open(screen);
    const numbers = () =>
      page.$$eval('main input[inputmode=numeric]', (fields) =>
        fields.map(({ value, min, step }) => ({ value, min, step })),
      );
    await screen.press('Add Page');
    expect(await numbers()).toEqual([{ value: '1', min: '1', step: '1' }]);
    for (const [typed, counts] of [
      ['', '1'],
      ['0', '1'],
      ['-3', '1'],
      ['e', '1'],
      ['2.9', '2'],
      ['7', '7'],
    ] as const) {
      const field = await page.waitForSelector('main input[inputmode=numeric]');
      await field?.click({ count: 3 });
      await page.keyboard.press('Backspace');
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
      const [first] = await numbers();
      expect({ typed, counts: first?.value }).toEqual({ typed, counts });
    }
    await screen.press('Add Page');
    expect((await numbers()).map(({ value }) => value)).toEqual(['7', '8']);
    await screen.fill('What’s on it', 'Boundaries');
  });

  it('[DOC-006] [DOC-007] [DOC-008] [DOC-009] [DOC-010] [DOC-011] [LIMIT-006] accepts several dropped and chosen files of six types, shows type and size of each, and removes them', async () => {
    const { screen } = owner;
    const { page } = screen;
    await open(screen);
    expect(await page.$eval(RAW, (input) => (input as HTMLInputElement).accept)).toBe(
      '.pdf,.doc,.docx,.png,.jpg,.jpeg',
    );
    const [text, nothing] = [base64(Buffer.from('some text')), ''];
    const six = ['a.pdf', 'b.doc', 'c.docx', 'd.png', 'e.jpg', 'f.jpeg'];
    await drop(screen, {
      ...Object.fromEntries(six.map((name) => [name, text])),
      'notes.txt': text,
      'program.exe': text,
      'empty.pdf': nothing,
    });
    for (const name of ['notes.txt', 'program.exe'])
      await screen.sees(`${name}: only PDF, DOC, DOCX, PNG, JPG and JPEG files are accepted`);
    await screen.sees('empty.pdf is empty and cannot be used');
    expect((await rows(screen)).map(([, name]) => name)).toEqual(six);

    // A new form without the files. Bytes after its end do not change a PDF.
    await open(screen);
    const pdf = await textPdf('The orchard');
    const large = Buffer.concat([pdf, Buffer.alloc(1_500_000, '\n')]);
    await writeFile(join(folder, 'deed.pdf'), pdf);
    await writeFile(join(folder, 'large.pdf'), large);
    await screen.upload(RAW, [join(folder, 'deed.pdf'), join(folder, 'large.pdf')]);
    await screen.sees('deed.pdf');
    const plan = await idCardPng('PLAN');
    await drop(screen, { 'plan.png': base64(plan) });
    await screen.sees('plan.png');
    const shown = await rows(screen);
    expect(shown.map(([kind, name]) => [kind, name])).toEqual([
      ['pdf', 'deed.pdf'],
      ['pdf', 'large.pdf'],
      ['png', 'plan.png'],
    ]);
    const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
    expect(shown.map(([, , about]) => about?.split(' · ')[0])).toEqual([
      kilobytes(pdf.length),
      `${(large.length / 1024 / 1024).toFixed(2)} MB`,
      kilobytes(plan.length),
    ]);
    await screen.press('Remove large.pdf');
    await screen.gone('large.pdf');
    expect((await rows(screen)).map(([, name]) => name)).toEqual(['deed.pdf', 'plan.png']);
  });
});

it('[DOC-080] [DOC-081] [DOC-082] [DOC-083] joining needs a code of 8 characters and shows examples', async () => {
  const { screen } = owner;
  await screen.goto('/document/join');
  await screen.sees('What a code looks like');
  // Pasted in two groups, as the page shows a code.
  await screen.page.$eval('main form input', (input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ' 7k3m 9qxa\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await screen.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('main form input')?.value === '7K3M9QXA',
  );
  const field = () =>
    screen.page.$eval('main form input', (input) => [input.value, input.maxLength] as [string, number]);
  await screen.fill('Document code', 'abcd2345zz');
  expect(await field()).toEqual(['ABCD2345', 8]);
  await screen.fill('Document code', ' ');
  await screen.press('Join Document');
  await screen.says('Please enter a document code');
  await screen.sees(/What a code looks like\s+LOOK 1234[^]*ILUO 5678/);
  await screen.sees('How it works');
  const links = await screen.page.$$eval('a', (all) => all.map((link) => link.getAttribute('href')));
  expect(links).toContain('/document/create');
  await screen.fill('Document code', await codeOf(owner.person, await createDocument(owner.person)));
  await screen.press('Join Document');
  await screen.says('You are already part of this document, or your request is waiting. See your dashboard.');
});
