/** From an approved document to the public verification of its PDF. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { LogProof } from '@karaar/contracts/documents/log';
import type { SealState } from '@karaar/contracts/documents/seal';
import { agree, createDocument } from '../src/journey.ts';
import { heading, PHONE, WIDE, withScreen, type Interference } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { reloadWithSocket } from '../src/browser/socket.ts';
import { newFolder, openBrowser } from '../src/test-file.ts';

jest.setTimeout(180_000);

const QUESTION = 'Once finalized, you will not be able to edit this document anymore. Continue?';

/** The path of the sealed PDF, and its document code; the first test sets both. */
let sealed: string;
let code: string;

const world = await openBrowser();
const folder = await newFolder();
const [owner, guest] = await Promise.all([
  newPerson(world.url, 'Asha Rao'),
  newPerson(world.url, 'Vikram Shah'),
]);
const id = await createDocument(owner);

type Bar = { label: string; now: number };
type Watching = Window & { bars?: Bar[] };

/** Records the labels and values of the page's progress bar. */
const watchProgress = ({ page }: Screen) =>
  page.evaluate(() => {
    const bars: { label: string; now: number }[] = ((window as Watching).bars = []);
    new MutationObserver(() => {
      const bar = document.querySelector('main [role="progressbar"][aria-valuenow]');
      if (!bar) return;
      const seen = { label: bar.getAttribute('aria-label') ?? '', now: Number(bar.ariaValueNow) };
      if (bars.at(-1)?.label !== seen.label || bars.at(-1)?.now !== seen.now) bars.push(seen);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
const watched = ({ page }: Screen): Promise<Bar[]> => page.evaluate(() => (window as Watching).bars ?? []);

/** Reloads the page with its socket, and returns the progress events that arrive on it. */
async function progressFrames({ page }: Screen): Promise<string[]> {
  const frames: string[] = [];
  await reloadWithSocket(page, (frame) => {
    if (frame.includes('document.progress')) frames.push(frame);
  });
  return frames;
}

it('[FINAL-001] [FINAL-002] [FINAL-005] [FINAL-006] [FINAL-034] a document is finalized after a confirmation, with progress for both, then shown with its proof', async () => {
  await withScreen(world, { path: `/document/${id}`, as: owner, viewport: WIDE }, async (screen) => {
    await screen.says('Finalize is available after the document is approved.');
    expect(await screen.page.$eval('aria/Finalize Document[role="button"]', isDisabled)).toBe(true);
    expect(await screen.page.$('aria/Blockchain[role="button"]')).toBeNull();
    await agree(owner, guest, id);
    await screen.sees('Everyone has approved. Finalizing creates the final PDF and seals it.');
    const asked: string[] = [];
    screen.page.on('request', (request) => {
      if (request.method() === 'PATCH') asked.push(request.url());
    });
    await screen.press('Finalize Document');
    await screen.says(QUESTION);
    await screen.press('Cancel');
    await screen.gone(QUESTION);
    expect(asked).toEqual([]);
    const { body } = await owner.call('GET', `/documents/${id}`);
    expect(body).toMatchObject({ status: 'approved', finalization: null });

    await withScreen(world, { path: `/document/${id}`, as: guest, viewport: PHONE }, async (phone) => {
      await phone.sees('History');
      const frames = await progressFrames(phone);
      await phone.sees('History');
      await Promise.all([watchProgress(screen), watchProgress(phone)]);
      await screen.press('Finalize Document');
      await screen.press('Continue');
      await phone.page.waitForSelector('main [role="progressbar"][aria-valuenow]');
      const done = 'This document is finalized and can no longer be changed.';
      await Promise.all([screen.sees(done, 120_000), phone.sees(done, 120_000)]);
      const both = await Promise.all([watched(screen), watched(phone)]);
      for (const bars of both) {
        const values = bars.map(({ now }) => now);
        expect(new Set(values).size).toBeGreaterThan(2);
        expect(values).toEqual([...values].sort((a, b) => a - b));
      }
      // A step may end before one of the two screens shows it.
      const labels = both.flat().map(({ label }) => label);
      expect(labels.some((label) => /^Preparing file \d of 3$/.test(label))).toBe(true);
      expect(labels).toContain('Preparing agreement, signatures and certificate');
      expect(frames.length).toBeGreaterThan(2);
    });

    await screen.sees(/Page 1 of \d+/);
    await screen.page.waitForSelector('[aria-label="Final PDF"] canvas');
    await screen.page.waitForSelector('[data-verified="true"]');
    await screen.press('Blockchain');
    await screen.sees('Proof in the transparency log');
    await screen.sees('Your browser has checked the proof itself');
    await screen.sees(/Entry \d+ of \d+/);
    await screen.sees('Download proof file');
  });
  const { body } = await owner.call('GET', `/documents/${id}`);
  code = String(body['document_code']);
  sealed = join(folder, 'sealed.pdf');
  await writeFile(sealed, await owner.bytes(`/documents/${id}/final-pdf`));
});

it('[FINAL-035] the badge is grey, with a text, if its proof cannot be verified', async () => {
  const { body } = await owner.call('GET', `/documents/${id}/log-proof`);
  const proof = body as LogProof;
  const forged: LogProof = { ...proof, leaf_index: proof.leaf_index + 1 };
  const faults: [string, Interference][] = [
    ['a proof that does not hold', answering(JSON.stringify(forged))],
    ['no proof', answering('{"detail":"Away","code":"unavailable"}', 503)],
  ];
  for (const [, interfere] of faults) {
    await withScreen(
      world,
      { path: `/document/${id}`, as: owner, viewport: PHONE, interfere },
      async (screen) => {
        await screen.page.waitForSelector('[data-verified="false"][title="The proof could not be verified"]');
        await screen.press('Blockchain');
        await screen.sees('The proof could not be verified. The document itself is not affected');
        expect(await screen.page.$('[data-verified="true"]')).toBeNull();
      },
    );
  }
});

it('[ROUTE-034] [FINAL-036] [FINAL-037] a visitor verifies the PDF on /verify, by the file or its code', async () => {
  const tampered = join(folder, 'tampered.pdf');
  const bytes = Buffer.from(await owner.bytes(`/documents/${id}/final-pdf`));
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  const empty = join(folder, 'empty.pdf');
  await Promise.all([writeFile(tampered, bytes), writeFile(empty, '')]);
  for (const viewport of [PHONE, WIDE]) {
    await withScreen(world, { path: '/verify', viewport }, async (screen) => {
      await heading(screen.page, 'Verify a document');
      await screen.isAt(/^\/verify$/);
      await screen.upload('input[type=file]', [empty]);
      await screen.sees('This file is empty. Choose the sealed PDF itself.');
      await screen.upload('input[type=file]', [sealed]);
      await screen.sees('This document is genuine');
      for (const finding of [
        'This PDF has the format in which Karaar seals.',
        'The seal covers every page and allows no changes.',
        'Not a single byte has changed since it was sealed.',
        'This certificate is from Karaar’s own certificate authority and was valid at the time.',
        'This exact file is in the transparency log.',
        'The log has digitally signed all its entries, including this one.',
      ]) {
        await screen.sees(finding);
      }
      await screen.sees(/Entry \d+ of \d+/);
      await screen.press('Verify another document');
      await screen.upload('input[type=file]', [tampered]);
      await screen.sees('Do not rely on this file');
      await screen.sees('The file is not what was sealed.');
      await screen.sees('This file is not in the transparency log.');
      expect(await screen.page.evaluate(() => document.body.innerText)).not.toContain(
        'This document is genuine',
      );
      await screen.press('Verify another document');
      await screen.fill('Document code', `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`);
      await screen.press('Look up');
      await screen.isAt(new RegExp(`^/verify/${code}$`));
      await screen.sees('The document with this code is genuine');
    });
  }
});

it('admins see a warning before the sealing certificate expires, and after it has expired', async () => {
  const response = await fetch(`${world.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'karaar-admin' }),
  });
  const token = String(((await response.json()) as Record<string, unknown>)['token']);
  const asked = await fetch(`${world.url}/api/admin/seal`, { headers: { authorization: `Bearer ${token}` } });
  const seal = (await asked.json()) as SealState;
  expect(seal).toMatchObject({ ends_soon: false, own_authority: true });
  const look = (change: Partial<SealState>, check: (screen: Screen) => Promise<void>) => {
    const body = JSON.stringify({ ...seal, ...change });
    const interfere: Interference = (request) =>
      request.url().endsWith('/api/admin/seal')
        ? { status: 200, body, contentType: 'application/json' }
        : undefined;
    return withScreen(world, { path: '/admin/users', storage: { admin_token: token }, interfere }, check);
  };
  await look({ ends_soon: true, days_left: 9 }, (screen) =>
    screen.sees(/certificate of Karaar development seal ends on .+, in 9 days/),
  );
  await look({ ends_soon: true, days_left: -1 }, (screen) => screen.sees(/ended on .+ cannot be finalized/));
});

const isDisabled = (button: Element): boolean => (button as HTMLButtonElement).disabled;

/** Answers the request for the log's proof. */
const answering =
  (body: string, status = 200): Interference =>
  (request) =>
    request.url().endsWith('/log-proof') ? { status, body, contentType: 'application/json' } : undefined;
