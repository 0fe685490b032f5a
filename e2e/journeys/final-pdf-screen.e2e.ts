/** The page of a sealed document: a failed download, the revoked object URL, and the renewal. */
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { createDocument } from '../src/journey.ts';
import { withScreen, type Interference } from '../src/browser/opened.ts';
import { newPerson } from '../src/person.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

/** The time after which the object URL of a file is revoked (spec §9). Milliseconds. */
const REVOKE_MS = 10_000;

const world = await openBrowser();
const owner = await newPerson(world.url, 'Asha Rao');
const id = await createDocument(owner);
const path = `/document/${id}`;
const { body } = await owner.call('GET', `/documents/${id}`);
// The browser answers with a finalized document, because finalizing takes seconds and has its own tests.
const finalized = JSON.stringify({ ...body, status: 'finalized' });

/** Answers as if the document were finalized, with this file. */
const withFile =
  (file: Exclude<ReturnType<Interference>, undefined>): Interference =>
  (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === `/api/documents/${path.split('/')[2]}`)
      return { status: 200, body: finalized, contentType: 'application/json' };
    return pathname.endsWith('/final-pdf') ? file : undefined;
  };

it('[ERROR-020] reports a final PDF that cannot be loaded, and tries again on request', async () => {
  const interfere = withFile({ status: 400, body: '{}', contentType: 'application/json' });
  await withScreen(world, { path, as: owner, interfere }, async ({ page, says, press }) => {
    await says('Failed to load final PDF');
    const again = page.waitForRequest((request) => request.url().endsWith('/final-pdf'));
    await press('Try again');
    await again;
  });
});

it('[LIMIT-005] revokes the object URL of an opened PDF after 10 seconds, not before', async () => {
  const pdf = Buffer.from(await textPdf('Agreed')).toString('latin1');
  const interfere = withFile({ status: 200, body: pdf, contentType: 'application/pdf' });
  await withScreen(world, { path: '/terms', as: owner, interfere }, async ({ page, goto, press }) => {
    await page.evaluateOnNewDocument((ms: number) => {
      const told: { made: string[]; back: string[]; due: (() => void)[] } = { made: [], back: [], due: [] };
      Object.assign(window, { told });
      const [make, revoke, later] = [URL.createObjectURL, URL.revokeObjectURL, window.setTimeout];
      URL.createObjectURL = (file) => {
        const url = make(file);
        told.made.push(url);
        return url;
      };
      URL.revokeObjectURL = (url) => {
        told.back.push(url);
        revoke(url);
      };
      const patient = (run: () => void, wait?: number) =>
        wait === ms ? told.due.push(run) : later(run, wait);
      Object.assign(window, { setTimeout: patient, open: () => null });
    }, REVOKE_MS);
    await goto(path);
    await press('Open Final PDF');
    const seen = () =>
      page.evaluate(() => {
        const { made, back, due } = Reflect.get(window, 'told') as Record<'made' | 'back' | 'due', unknown[]>;
        return { made: made.length, back: back.length, due: due.length };
      });
    expect(await seen()).toEqual({ made: 1, back: 0, due: 1 });
    await page.evaluate(() => (Reflect.get(window, 'told') as { due: (() => void)[] }).due[0]?.());
    expect(await seen()).toEqual({ made: 1, back: 1, due: 1 });
  });
});

it('offers the renewal of an agreement that ends soon', async () => {
  const end_date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const ending = JSON.stringify({ ...body, status: 'finalized', end_date });
  const interfere: Interference = (request) =>
    new URL(request.url()).pathname === `/api/documents/${id}`
      ? { status: 200, body: ending, contentType: 'application/json' }
      : undefined;
  await withScreen(world, { path, as: owner, interfere }, async ({ page, sees, press }) => {
    await sees('This agreement ends on');
    await press('Renew', 'link');
    await page.waitForFunction(() => location.pathname === '/document/create');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some((each) => each.value === 'Rent agreement'),
    );
  });
});
