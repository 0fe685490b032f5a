/** Passkeys for signing, in a browser with virtual authenticators, and their record in PDF and receipt. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { overflow } from '../screens/camera.ts';
import { frames } from '../src/browser/cameras.ts';
import { agree, createDocument, finalize } from '../src/journey.ts';
import { PHONE, WIDE, withScreen } from '../src/browser/opened.ts';
import { inspectPdf } from '../src/pdf.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { addKey, recognises, withDevice } from '../src/browser/signing-devices.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const folder = await newFolder();
const world = await openBrowser({ camera: await frames() });

/** Returns the verdict of a document's receipt, opened from the disk, on its sealed PDF. */
async function onReceipt(screen: Screen, person: Person, id: string, pdf: Uint8Array): Promise<string> {
  await until('the log has the document', async () => {
    const { status } = await person.call('GET', `/documents/${id}/log-proof`, undefined, [200, 409]);
    return status === 200;
  });
  const [html, file] = [join(folder, `${id}.html`), join(folder, `${id}.pdf`)];
  await writeFile(html, await person.bytes(`/documents/${id}/receipt`));
  await writeFile(file, pdf);
  await screen.page.goto(pathToFileURL(html).href);
  const input = await screen.page.waitForSelector('input[type=file]');
  await input?.uploadFile(file);
  await screen.page.waitForSelector('#result[data-verdict=genuine]');
  return screen.page.$eval('#result', (element) => element.textContent ?? '');
}

it.each([PHONE, WIDE])(
  'a passkey is added, signs an approval, is one of two, and is removed, %o',
  async (viewport) => {
    const owner = await newPerson(world.url, 'Asha Rao');
    const guest = await newPerson(world.url, 'Vikram Shah');
    const [signedId, plainId] = [await createDocument(owner), await createDocument(owner)];
    await withScreen(world, { path: '/profile', as: owner, viewport }, async (screen) => {
      const { page, goto, press, sees } = screen;
      const device = await withDevice(screen);
      await sees('You have no passkey for signing yet.');
      await addKey(screen, 'Laptop');
      expect(await overflow(page)).toBe(0);

      // Another finger is refused; the owner's is accepted.
      await goto(`/document/${signedId}`);
      await press('Approve Document');
      await sees('Your device signs exactly this document');
      await recognises(device, false);
      await press('Approve with your passkey');
      await sees('The passkey was not used.');
      expect(await overflow(page)).toBe(0);
      await recognises(device, true);
      await press('Approve with your passkey');
      await sees('Document approved');

      // A second device with a second key.
      await withScreen(world, { path: '/profile', as: owner, viewport }, async (second) => {
        await withDevice(second);
        await second.sees('Laptop');
        // The device asks about the key of the other device.
        await second.press('Yes, it was me');
        await addKey(second, 'Phone');
        const other = await createDocument(owner);
        await second.goto(`/document/${other}`);
        await second.press('Approve Document');
        await second.sees('Choose a passkey');
        const [value] = await second.page.$$eval('[role=dialog] option', (options) =>
          options.filter(({ textContent }) => textContent === 'Phone').map((option) => option.value),
        );
        await second.choose('Passkey', value ?? '');
        await second.press('Approve with your passkey');
        await second.sees('Document approved');
      });

      // Without passkeys an approval needs no confirmation.
      await goto('/profile');
      await press('Yes, it was me');
      for (const name of ['Laptop', 'Phone']) {
        await press(`Remove ${name}`);
        await press('Remove');
        await sees('Passkey removed');
        await page.waitForFunction(
          (label: string) => !document.querySelector(`[aria-label="${label}"]`),
          {},
          `Remove ${name}`,
        );
      }
      await sees('You have no passkey for signing yet.');
      await goto(`/document/${plainId}`);
      await press('Approve Document');
      await sees('Document approved');
    });

    const said: Record<string, string> = {};
    for (const id of [signedId, plainId]) {
      await agree(owner, guest, id);
      const pdf = await finalize(owner, id);
      const { text } = await inspectPdf(pdf);
      said[id] = text.replace(/\s+/g, ' ');
      await withScreen(world, { path: '/terms', viewport }, async (screen) => {
        const words = await onReceipt(screen, guest, id, pdf);
        expect(words).toContain('Approval by Vikram Shah');
        expect(words.includes('Signed with the person’s own passkey')).toBe(id === signedId);
        expect(words).toContain('Confirmed by session and capture, not signed with a passkey.');
      });
    }
    expect(said[signedId]).toContain('Signed with the person’s own passkey');
    expect(said[plainId]).not.toContain('Signed with the person’s own passkey');
    expect(said[plainId]).toContain('Confirmed by session and capture, not signed with a passkey');
  },
);
