import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { PDF, rgb } from '@libpdf/core';
import sharp from 'sharp';
import { createSealer } from '@karaar/sealing';
import { type ComposedPdf, createRenderer, type Renderer } from './compose.ts';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { agreement, photo, rawFile, uploaded } from '../testing/samples.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { complaints, difference, pageCount, paint, textOf, tool } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

let workDir: string;
let renderer: Renderer;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-compose-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
});

afterAll(async () => {
  await renderer.close();
  expect(await readdir(workDir)).toEqual([]); // no folder of a job or browser profile remains
  await rm(workDir, { recursive: true });
});

describe('the final PDF of an agreement with a PDF, a picture and a Word file', () => {
  let composed: ComposedPdf;
  const page = (n: number): Promise<string> => textOf(composed.pdf, n);
  const certificate = async (): Promise<string> => {
    const { total, certificate: count } = composed.pages;
    const texts = await Promise.all(Array.from({ length: count }, (_, i) => page(total - count + 1 + i)));
    return texts.join(' ').replace(/\s+/g, ' ');
  };

  beforeAll(async () => {
    const png = await sharp(await photo())
      .png()
      .toBuffer();
    composed = await renderer.composeFinalPdf(
      await agreement({
        files: [
          rawFile('lease.pdf', await textPdf('First page of the lease', 'Second page of the lease')),
          await uploaded(renderer, { name: 'flat.png', kind: 'image', bytes: png }),
          await uploaded(renderer, {
            ...{ name: 'letter.docx', kind: 'docx', bytes: docx(['The words of the letter']) },
          }),
        ],
      }),
    );
  });

  it('reports how many pages each part has, and they sum to the file', async () => {
    const { pages } = composed;
    expect(pages.files).toEqual([2, 1, 1]);
    expect(pages.raw).toBe(4);
    expect(pages.total).toBe(pages.agreement + pages.raw + pages.signatures + pages.certificate);
    expect(await pageCount(composed.pdf)).toBe(pages.total);
    expect(await complaints(composed.pdf)).toBe('');
    expect(await tool('pdffonts', (file) => [file], composed.pdf)).not.toContain('Error');
  });

  it('[FINAL-018] begins with the agreement: terms, parties, dates and page details', async () => {
    const text = await page(1);
    for (const words of [
      'Rent of the flat at 12, Lake Road',
      'Pune',
      '1 Dec 2026',
      '30 Nov 2027',
      'Asha Rao',
      'Vikram Shah',
      'Inventory of the furniture',
      '7K3M9QXA',
    ])
      expect(text).toContain(words);
  });

  it('[FINAL-019] has each raw document as pages, in order', async () => {
    const first = composed.pages.agreement + 1;
    expect(await page(first)).toContain('First page of the lease');
    expect(await page(first + 1)).toContain('Second page of the lease');
    expect((await page(first + 2)).trim()).toBe('');
    expect(await page(first + 3)).toContain('The words of the letter');
  });

  it('numbers our own pages within the whole file and lists where each part is', async () => {
    const { pages } = composed;
    expect(await page(1)).toContain(`Page 1 of ${pages.total}`);
    expect(await page(pages.total)).toContain(`Page ${pages.total} of ${pages.total}`);
    const contents = await tool(
      'pdftotext',
      (file) => ['-l', `${pages.agreement}`, '-layout', file, '-'],
      composed.pdf,
    );
    expect(contents).toMatch(
      new RegExp(`lease\\.pdf\\s+PDF\\s+${pages.agreement + 1}–${pages.agreement + 2}`),
    );
    expect(contents).toMatch(new RegExp(`letter\\.docx\\s+Word document\\s+${pages.agreement + 4}`));
  });

  it('[FINAL-018] states the charges of Karaar in the certificate, not in the terms', async () => {
    for (let n = 1; n <= composed.pages.total - composed.pages.certificate; n += 1)
      expect(await page(n)).not.toContain('₹');
    const text = await certificate();
    expect(text).toContain('KARAAR CHARGE Charged for Daily rate Total 365 days ₹1.50 ₹547.50');
    expect(text).toContain('It is not a term of the agreement.');
  });

  it('[FINAL-022] names in the certificate the log that records the sealed file', async () => {
    const text = await certificate();
    expect(text).toContain('transparency log');
    expect(text).toContain('karaar.example/log');
  });

  it('is sealed: pdfsig finds the signature valid and the whole file covered', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'karaar-key-'));
    const sealer = await createSealer({ key: { kind: 'dev', stateDir } });
    const sealed = await sealer.seal(composed.pdf);
    const verdict = await tool('pdfsig', (file) => [file], sealed.pdf);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Total document signed');
    expect(await complaints(sealed.pdf)).toBe('');
    await rm(stateDir, { recursive: true });
  });
});

describe('a raw file of 138 pages of mixed sizes and rotations', () => {
  it('[FINAL-019] is copied page by page without a visible change', async () => {
    const source = await turnedPages(138);
    const { pdf, pages } = await renderer.composeFinalPdf(
      await agreement({
        files: [await uploaded(renderer, { name: 'long.pdf', kind: 'pdf', bytes: source })],
      }),
    );
    expect(pages.files).toEqual([138]);
    expect(await pageCount(pdf)).toBe(pages.total);
    expect(await complaints(pdf)).toBe('');
    for (const page of [1, 2, 3, 4, 70, 137, 138]) {
      const [before, after] = [await paint(source, page, 40), await paint(pdf, pages.agreement + page, 40)];
      expect({ page, difference: difference(before, after) }).toEqual({ page, difference: 0 });
    }
  });
});

/** Each page has its own size, a square in one corner, and its number. */
function turnedPages(count: number): Promise<Uint8Array> {
  const pdf = PDF.create();
  for (let i = 0; i < count; i += 1) {
    const [width, height] = [300 + (i % 7) * 60, 400 + (i % 5) * 90];
    const page = pdf.addPage({ width, height, rotate: ([0, 90, 180, 270] as const)[i % 4] ?? 0 });
    page.drawRectangle({ x: 0, y: height - 80, width: 80, height: 80, color: rgb(i / count, 0.4, 0.6) });
    page.drawText(`Page ${i + 1}`, { x: 60, y: 120, size: 24 });
  }
  return pdf.save();
}
