/** The browser shows scans in every encoding, and ticks in a font that is not embedded in the PDF. */
import { jest } from '@jest/globals';
import { pdfOf } from '@karaar/testing/made-up/files';
import { SCAN_CODECS, scannedPdf } from '@karaar/testing/faces/scans';
import { textOf, WIDE } from '../src/browser/opened.ts';
import { part, verification } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { signedIn } from '../src/signed-in.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(240_000);

const { url } = sharedProduct;

const [one, two] = await Promise.all([openBrowser(), openBrowser()]);
const [owner, guest] = await Promise.all([
  signedIn(one.browser, url, 'Asha Rao', WIDE),
  signedIn(two.browser, url, 'Meera Nair', WIDE),
]);

/** Returns a PDF with a tick in ZapfDingbats in the middle of the page, as forms have. */
function tickedPdf(): Uint8Array {
  const content = 'BT /Z 90 Tf 40 70 Td (4) Tj ET';
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /Z 5 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
    ].map((object) => Buffer.from(object, 'latin1')),
  );
}

/** Returns the shares of dark pixels in the middle and at the edge of a page. */
async function drawn(
  { page }: Screen,
  file: string,
  number: number,
): Promise<{ middle: number; edge: number }> {
  const found = await page.waitForFunction(
    (section: string, nth: number) => {
      const page = `[data-reading] section[aria-label="${section}"] li:nth-child(${nth})`;
      const place = document.querySelector(page);
      place?.scrollIntoView();
      const canvas = place?.querySelector('canvas');
      if (!canvas || canvas.width === 0) return null;
      const { width, height } = canvas;
      const share = (x: number, y: number, side: number): number => {
        const data = canvas
          .getContext('2d')
          ?.getImageData(x * width, y * height, side * width, side * height).data;
        // An unpainted pixel is black and transparent.
        const dark =
          data?.filter((value, at) => at % 4 === 0 && value < 100 && data[at + 3] === 255).length ?? 0;
        return data ? dark / (data.length / 4) : 0;
      };
      const middle = share(0.4, 0.4, 0.2);
      return middle > 0 ? { middle, edge: share(0.02, 0.02, 0.1) } : null;
    },
    { polling: 200, timeout: 30_000 },
    file,
    number,
  );
  return (await found.jsonValue()) ?? { middle: 0, edge: 1 };
}

/** Creates an agreement of these PDFs that waits for the guest's approval. @returns the path of its page */
async function sentToGuest(name: string, files: Record<string, Uint8Array>): Promise<string> {
  const { body } = await owner.person.send('/documents/create', {
    name,
    raw_documents: Object.entries(files).map(([file, pdf]) => part(pdf, 'application/pdf', file)),
    ...(await verification(1)),
  });
  await guest.person.send('/documents/join', {
    document_code: String(body['document_code']),
    ...(await verification(2)),
  });
  const id = String(body['document_id']);
  await owner.person.call('PUT', `/documents/${id}/approve-user/${guest.person.userId}`);
  return `/document/${id}`;
}

it('shows scans in every encoding, and ticks in a font of the viewer, to the party who approves them', async () => {
  const path = await sentToGuest('Scanned lease', {
    'scans.pdf': await scannedPdf(...SCAN_CODECS),
    'ticked.pdf': tickedPdf(),
  });
  await guest.screen.goto(path);
  await guest.screen.sees('Your turn: read, then approve');
  for (const [i] of SCAN_CODECS.entries()) {
    const { middle, edge } = await drawn(guest.screen, 'scans.pdf', i + 1);
    expect(middle).toBeGreaterThan(0.95);
    expect(edge).toBe(0);
  }
  // A tick fills the middle; the digit 4 would not.
  expect((await drawn(guest.screen, 'ticked.pdf', 1)).middle).toBeGreaterThan(0.1);
});

it('names a page of which a picture cannot be decoded, and keeps the rest of it', async () => {
  const path = await sentToGuest('Damaged scan', { 'cut.pdf': await scannedPdf('jpeg', 'cut') });
  const { screen } = guest;
  await screen.goto(path);
  expect((await drawn(screen, 'cut.pdf', 1)).middle).toBeGreaterThan(0.95);
  await screen.sees('Page 2 cannot be shown in full here');
  await screen.sees('Open the file in a new tab to read it.');
  expect(await textOf(screen)).not.toContain('Page 1 cannot be shown');
  expect(await screen.page.$$('[data-reading] canvas[aria-label="Page 2 of 2"]')).toHaveLength(1);
});

it('names a page that the device cannot draw, and draws it when asked again', async () => {
  const path = await sentToGuest('Lease on a full phone', { 'ticked.pdf': tickedPdf() });
  const { screen } = guest;
  // As a phone without memory for another canvas.
  const full = await screen.page.evaluateOnNewDocument(() => {
    const { prototype } = HTMLCanvasElement;
    const { getContext } = prototype;
    Object.assign(globalThis, { free: () => void Object.assign(prototype, { getContext }) });
    prototype.getContext = () => null;
  });
  await screen.goto(path);
  await screen.sees('Page 1 cannot be shown in full here');
  await screen.page.evaluate(() => (Reflect.get(globalThis, 'free') as () => void)());
  await screen.press('Try again');
  await screen.gone('Page 1 cannot be shown in full here');
  expect((await drawn(screen, 'ticked.pdf', 1)).middle).toBeGreaterThan(0.1);
  await screen.page.removeScriptToEvaluateOnNewDocument(full.identifier);
});
