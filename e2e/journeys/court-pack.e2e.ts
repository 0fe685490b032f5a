/**
 * The court pack: downloaded with a reason, and verified with its receipt. The history as a PDF. Sealed PDFs
 * with receipts as one ZIP. A user's own labels.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jest } from '@jest/globals';
import { textOf } from '@karaar/testing/pdf-judges';
import { until } from '@karaar/testing/until';
import { unzipSync } from 'fflate';
import type { Page } from 'puppeteer-core';
import { adminScreen, newAdmin } from '../src/admins.ts';
import { axe } from '../src/browser/axe.ts';
import { downloads } from '../src/browser/downloads.ts';
import { agree, createDocument, finalize } from '../src/journey.ts';
import { PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const folder = await newFolder();
const world = await openBrowser();
const owner = await newPerson(world.url, 'Asha Rao');
const guest = await newPerson(world.url, 'Vikram Shah');
const id = await createDocument(owner);
await agree(owner, guest, id);
await finalize(owner, id);
await until('the log has the document', async () => {
  const { status } = await owner.call('GET', `/documents/${id}/log-proof`, undefined, [200, 409]);
  return status === 200;
});
const path = `/document/${id}`;
// Not sealed, so the user cannot select it.
await createDocument(owner);

it.each([PHONE, WIDE])('a party downloads the court pack with a reason, %o', async (viewport) => {
  await withScreen(world, { path, as: guest, viewport }, async (screen) => {
    const { page, press, sees } = screen;
    const fetched = await downloads(screen, folder);
    await press('Court pack');
    await sees('Photos of other people are not in it.');
    await page.waitForSelector('[role=dialog] textarea', { visible: true });
    await page.$$eval('[role=dialog] button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Download')?.click(),
    );
    await sees('Enter at least 10 characters.');
    await screen.fill('Reason', 'The rent of March is in dispute');
    await page.$$eval('[role=dialog] button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Download')?.click(),
    );
    const pack = await fetched(/^[0-9A-Z]{8}-court-pack\.zip$/);
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
    const files = unzipSync(new Uint8Array(pack));
    const receipt = join(folder, `receipt-${viewport.width}.html`);
    const zip = join(folder, `pack-${viewport.width}.zip`);
    await writeFile(receipt, files['receipt.html'] ?? '');
    await writeFile(zip, pack);
    await page.goto(pathToFileURL(receipt).href);
    const input = await page.waitForSelector('input[type=file]');
    await input?.uploadFile(zip);
    await page.waitForSelector('#result[data-verdict=genuine]');
    for (const draft of ['en', 'hi'] as const) {
      const file = join(folder, `draft-${draft}.html`);
      await writeFile(file, files[`certificate/section-63-4-draft-${draft}.html`] ?? '');
      await page.goto(pathToFileURL(file).href);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
});

it.each([PHONE, WIDE])(
  'a party downloads the history as a PDF in the language of the screen, %o',
  async (viewport) => {
    await withScreen(world, { path, as: guest, viewport }, async (screen) => {
      const fetched = await downloads(screen, await mkdtemp(join(folder, 'history-')));
      await screen.press('Download as PDF');
      const text = await textOf(await fetched(/^[0-9A-Z]{8}-history\.pdf$/));
      expect(text).toContain('is not the sealed agreement');
      expect(text).toContain('sealed PDF');
    });
  },
);

it.each([PHONE, WIDE])('a party downloads selected sealed PDFs as one ZIP, %o', async (viewport) => {
  await withScreen(world, { path: '/dashboard', as: owner, viewport }, async (screen) => {
    const { page, press, sees } = screen;
    const fetched = await downloads(screen, folder);
    await press('Select');
    await sees('Choose up to 50 sealed documents.');
    await sees('0 selected');
    const boxes = () =>
      page.$$eval('main table input[type=checkbox]', (all) => all.map((box) => !box.matches(':disabled')));
    expect(await boxes()).toEqual([false, true]);
    await page.click('main table input[type=checkbox]:enabled');
    await sees('1 selected');
    expect(await axe(page, 'all')).toEqual([]);
    await press('Download ZIP');
    const files = unzipSync(new Uint8Array(await fetched(/^karaar-documents.*\.zip$/)));
    expect(Object.keys(files)).toEqual([
      expect.stringMatching(/-[0-9A-Z]{8}\.pdf$/),
      expect.stringMatching(/-[0-9A-Z]{8}-receipt\.html$/),
    ]);
    await press('Stop selecting');
    await page.waitForFunction(() => !document.querySelector('main table input[type=checkbox]'));
  });
});

/** The document, by the end of its path, to which the focused link leads; the text of another focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at?.matches('.k-row-link') ? at.getAttribute('href')?.split('/').at(-1) : at?.textContent;
  });

it.each([PHONE, WIDE])(
  'a party archives a sealed and a cancelled document, undoes it, finds and restores them, %o',
  async (viewport) => {
    const cancelled = await createDocument(owner);
    await owner.call('POST', `/documents/${cancelled}/add-user`, { target_user_char_id: guest.charId });
    await owner.call('POST', `/documents/${cancelled}/cancel`, { reason: 'Another flat' });
    await withScreen(world, { path: '/dashboard', as: guest, viewport }, async (screen) => {
      const { page, press, sees } = screen;
      const rows = async () => (await page.$$('main table tbody tr')).length;
      await until('the rows', rows);
      const total = await rows();
      await page.waitForFunction(() =>
        document.querySelector('main table tbody')?.textContent?.includes('Cancelled'),
      );
      await press('Archive');
      await sees('The document is in your archive.');
      await until('the next row has the focus', async () =>
        /^[0-9a-f-]{36}$/.test((await focused(page)) ?? ''),
      );
      expect(await focused(page)).not.toBe(cancelled);
      expect(await rows()).toBe(total - 1);
      await press('Undo');
      await sees('The document is in your list again.');
      await until('the row that is back has the focus', async () => (await focused(page)) === cancelled);
      for (let left = total; left > 0; left -= 1) {
        await press('Archive');
        await until('it is gone', async () => (await rows()) === left - 1);
      }
      await sees('All your documents are in your archive');
      expect(await focused(page)).toBe('All Documents');
      await screen.fill('Search documents', 'rent');
      await sees('The archive was not searched.');
      await press('Search the archive');
      await until('they are found', async () => (await rows()) === total);
      // Scrolled, the bars of the page cover parts of other links.
      await page.evaluate(() => scrollTo(0, 0));
      expect(await axe(page, 'all')).toEqual([]);
      for (let left = total; left > 0; left -= 1) {
        await press('Restore');
        await until('it is gone', async () => (await rows()) === left - 1);
      }
    });
  },
);

it.each([PHONE, WIDE])(
  'a super admin takes the record for a reason, and files and photos by an order, %o',
  async (viewport) => {
    const screen = await adminScreen(world.browser, await newAdmin('super-admin'), viewport);
    try {
      const { page, press, fill, sees } = screen;
      const submit = () => page.click('[role="dialog"] button[type="submit"]');
      /** Downloads the pack and returns the names of its files. */
      const taken = async () => {
        const fetched = await downloads(screen, await mkdtemp(join(folder, 'admin-')));
        await submit();
        const pack = await fetched(/^[0-9A-Z]{8}-court-pack\.zip$/);
        await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
        return Object.keys(unzipSync(new Uint8Array(pack)));
      };
      await screen.goto(`/admin/documents/${id}`);
      await press('Prepare a court pack');
      await sees('Without an order the pack holds the record alone');
      await fill('Order (number and issuer)', '12');
      await fill('Reason', 'Notice of the District Court, Pune');
      await submit();
      await sees('Enter the number and the issuer of the order.');
      await page.keyboard.press('Escape');
      await press('Prepare a court pack');
      await fill('Reason', 'Notice of the District Court, Pune');
      const record = await taken();
      expect(record).toContain('record/record.json');
      expect(record.filter((name) => /^(agreement|uploads|evidence)/.test(name))).toEqual([]);
      await press('Prepare a court pack');
      await fill('Order (number and issuer)', 'Order 12/2026, District Court, Pune');
      await fill('Reason', 'Order of the District Court, Pune');
      expect(await taken()).toContain(`evidence/${guest.charId}-face-photo.jpg`);
      await screen.goto(`/admin/audit?action=court-pack&search=${id}`);
      await sees('Took a court pack');
      await sees('files and photos by order: Order 12/2026, District Court, Pune');
    } finally {
      await screen.close();
    }
  },
);

it.each([PHONE, WIDE])(
  'a user labels documents, filters the list, renames and deletes the label, %o',
  async (viewport) => {
    const user = await newPerson(world.url, 'Meera Nair');
    const [flat, shop] = [
      await createDocument(user),
      await createDocument(user, { name: 'Lease of a shop' }),
    ];
    await withScreen(world, { path: `/document/${flat}`, as: user, viewport }, async (screen) => {
      const { page, press, sees, gone, fill } = screen;
      const type = async (label: string) => {
        await fill('Add a label', label);
        await page.keyboard.press('Enter');
        await page.waitForSelector(`aria/Remove the label ${label}`);
      };
      const listed = () => page.$$eval('a.k-row-link', (all) => all.map((link) => link.getAttribute('href')));
      await sees('Only you see them.');
      await type('Rents 2027');
      await type('Flats');
      expect(await axe(page, 'all')).toEqual([]);
      await screen.goto(`/document/${shop}`);
      await page.waitForSelector('datalist option[value="Flats"]');
      await type('Shops');
      await screen.goto('/dashboard');
      await sees('Rents 2027');
      await page.select(`select:has(option[value="Flats"])`, 'Flats');
      await until('the list is filtered', async () => (await listed()).join() === `/document/${flat}`);
      expect(page.url()).toContain('label=Flats');
      expect(await axe(page, 'all')).toEqual([]);
      await press('Manage labels');
      await press('Rename Flats');
      await page.keyboard.type('!');
      await page.keyboard.press('Enter');
      await until(
        'renamed',
        () => page.url().includes('label=Flats%21') || page.url().includes('label=Flats!'),
      );
      await press('Delete Flats!');
      await sees('Delete the label Flats!? It comes off all documents that have it: 1. The documents stay.');
      expect(await axe(page, 'all')).toEqual([]);
      await page.$$eval('[role=dialog] button', (all) =>
        all.find(({ textContent }) => textContent === 'Delete')?.click(),
      );
      await gone('Flats!');
      await page.keyboard.press('Escape');
      await until('the list is whole', async () => (await listed()).length === 2);
    });
    const { body } = await user.call('GET', '/documents/labels');
    expect(body).toEqual({
      labels: [
        { name: 'Rents 2027', documents: 1 },
        { name: 'Shops', documents: 1 },
      ],
    });
  },
);
