/** The files that the creator attaches to the sealed PDF. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { agree, createDocument } from '../src/journey.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(120_000);

const world = await openBrowser();
const folder = await newFolder();

it('[FINAL-007] [FINAL-016] files are chosen, removed, sent with progress, cancelled and retried; both parties see them', async () => {
  const [owner, guest] = await Promise.all([
    newPerson(world.url, 'Asha Rao'),
    newPerson(world.url, 'Vikram Shah'),
  ]);
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  const [keys, wrong, empty] = ['keys.txt', 'wrong.zip', 'empty.txt'].map((name) => join(folder, name));
  await writeFile(String(keys), 'k'.repeat(400_000));
  await writeFile(String(wrong), 'w');
  await writeFile(String(empty), '');
  const state = async () => (await owner.call('GET', `/documents/${id}`)).body;

  await withScreen(world, { path: `/document/${id}`, as: guest, viewport: PHONE }, async (phone) => {
    await phone.sees('Waiting for Asha Rao to seal the document');
    await phone.settled();
    // Only the creator can finalize and attach files.
    expect(await phone.page.$('input[type=file]')).toBeNull();
  });
  await withScreen(world, { path: `/document/${id}`, as: owner, viewport: PHONE }, async (screen) => {
    const { page, press, sees } = screen;
    await sees('Attach files to the final document');
    await screen.upload('input[name=final_documents]', [String(empty), String(keys), String(wrong)]);
    await sees('empty.txt is empty and cannot be used');
    await press('Remove wrong.zip');
    const devtools = await page.createCDPSession();
    const upload = (uploadThroughput: number) =>
      devtools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });
    await devtools.send('Network.enable');
    await upload(100_000);
    await press('Finalize Document');
    await press('Continue');
    await page.waitForFunction(
      () =>
        Number(document.querySelector('[role=progressbar][aria-label="keys.txt"]')?.ariaValueNow ?? 0) > 10,
      { polling: 50 },
    );
    // The PDF is not made before the files have arrived.
    expect(await page.evaluate(() => document.body.innerText)).not.toContain('Preparing the files');
    await press('Cancel keys.txt');
    await sees('Cancelled. Try again or remove it.');
    expect(await state()).toMatchObject({ status: 'approved', finalization: null });
    await upload(-1);
    await press('Try keys.txt again');
    await sees('Document finalized', 60_000);
    await sees('This document is finalized and can no longer be changed.');
  });
  for (const person of [owner, guest]) {
    await withScreen(world, { path: `/document/${id}`, as: person }, async (screen) => {
      await screen.sees('The sealed PDF');
      await screen.sees('Added by the creator, not part of the seal');
      const names = await screen.page.$$eval('main a[target=_blank]', (links) =>
        links.map(({ textContent }) => textContent),
      );
      expect(names).toContain('keys.txt');
      expect(names).not.toContain('wrong.zip');
    });
  }
});
