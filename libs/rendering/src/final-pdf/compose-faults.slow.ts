import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { PDF } from '@libpdf/core';
import sharp from 'sharp';
import {
  createRenderer,
  type FileSource,
  type RawFileKind,
  type Renderer,
  RenderError,
  type RenderLimits,
} from './compose.ts';
import { onePage, rawPdf } from '../testing/raw-pdf.ts';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { agreement, photo, rawFile } from '../testing/samples.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { pageCount } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

let workDir: string;
const opened: Renderer[] = [];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-faults-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((renderer) => renderer.close()));
  expect(await readdir(workDir)).toEqual([]);
});

afterAll(() => rm(workDir, { recursive: true }));

function open(limits: Partial<RenderLimits> = {}): Renderer {
  const renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir, limits });
  opened.push(renderer);
  return renderer;
}

async function encryptedPdf(): Promise<Uint8Array> {
  const pdf = await PDF.load(await textPdf('Secret'));
  pdf.setProtection({ userPassword: 'u', ownerPassword: 'o' });
  return pdf.save();
}

/** A page whose content or object stream unpacks to `size` bytes of spaces. */
function bomb(size: number, as: 'content' | 'objects'): Uint8Array {
  const packed = deflateSync(Buffer.alloc(size, 0x20)).toString('latin1');
  const dict = as === 'content' ? '/Filter /FlateDecode' : '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode';
  return onePage('', { page: '/Contents 5 0 R', more: [{ dict, stream: packed }] });
}

describe('composing refuses', () => {
  it('pages that differ from the hash on record', async () => {
    const input = await agreement();
    const [file] = input.files;
    const swapped = {
      ...rawFile('lease.pdf', await textPdf('The approved words')),
      pages: { bytes: await textPdf('Other words'), sha256: file?.pages.sha256 ?? '' },
    };
    await expect(open().composeFinalPdf({ ...input, files: [swapped] })).rejects.toMatchObject({
      code: 'hash_mismatch',
      file: 'lease.pdf',
    });
  });

  it('too many pages', async () => {
    const work = open({ pages: 3 }).composeFinalPdf(await agreement());
    await expect(work).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('composing never hangs', () => {
  it('ends at its deadline and stops every program that it started', async () => {
    // Chromium does not start within this time.
    await expect(open({ jobMs: 20 }).composeFinalPdf(await agreement())).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    });
  });

  it('ends when the caller aborts, before and during the work', async () => {
    const input = await agreement();
    const controller = new AbortController();
    const renderer = open();
    const work = renderer.composeFinalPdf(input, { signal: controller.signal });
    setTimeout(() => controller.abort(), 150);
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
    await expect(renderer.composeFinalPdf(input, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect((await renderer.composeFinalPdf(input)).pages.raw).toBe(2); // the renderer works again afterwards
  });

  it('ends when the renderer is closed meanwhile', async () => {
    const renderer = open();
    const work = renderer.composeFinalPdf(await agreement());
    setTimeout(() => void renderer.close(), 300);
    await expect(work).rejects.toBeInstanceOf(RenderError);
  });

  it('ends when a PDF unpacks to more than the memory allowed', async () => {
    const renderer = open({ pdfMemory: 300 * 1024 * 1024, pdfMs: 20_000 });
    const source = bomb(900 * 1024 * 1024, 'content');
    expect(source.length).toBeLessThan(2 * 1024 * 1024);
    const refused = renderer.prepareUpload({ name: 'bomb.pdf', kind: 'pdf', bytes: source });
    await expect(refused).rejects.toMatchObject({ code: 'too_large', file: 'bomb.pdf' });
    const after = await renderer.prepareUpload({
      name: 'fine.pdf',
      kind: 'pdf',
      bytes: await textPdf('fine'),
    });
    expect(after.pages).toBe(1);
  });

  it('fails for a PDF that nests too deep, and serves other requests meanwhile', async () => {
    const renderer = open({ pdfMs: 20_000 });
    const nested = rawPdf(
      [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /X ${'['.repeat(3_000_000)} >>`,
      ],
      { xref: false },
    );
    const [bad, good] = await Promise.all([
      renderer.prepareUpload({ name: 'deep.pdf', kind: 'pdf', bytes: nested }).catch((error) => error.code),
      renderer.prepareUpload({ name: 'fine.pdf', kind: 'pdf', bytes: await textPdf('fine') }),
    ]);
    expect(['pdf_broken', 'too_large']).toContain(bad);
    expect(good.pages).toBe(1);
  });
});

describe('several compositions at a time', () => {
  it('each gets its own pages', async () => {
    const renderer = open();
    const counts = await Promise.all(
      [1, 2, 3, 4, 5].map(async (n) => {
        const lines = Array.from({ length: n }, (_, i) => `Line ${i}`);
        const { pdf, pages } = await renderer.composeFinalPdf(
          await agreement({ files: [rawFile('a.pdf', await textPdf(...lines))] }),
        );
        expect(await pageCount(pdf)).toBe(pages.total);
        return pages.raw;
      }),
    );
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('inspecting an upload', () => {
  // Shared by all tests: its PDF processes stay warm.
  let renderer: Renderer;
  let ownDir: string;
  beforeAll(async () => {
    ownDir = await mkdtemp(join(tmpdir(), 'karaar-look-'));
    renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir: ownDir });
  });
  afterAll(async () => {
    await renderer.close();
    expect(await readdir(ownDir)).toEqual([]);
    await rm(ownDir, { recursive: true });
  });

  const png = async (): Promise<Uint8Array> =>
    sharp(await photo())
      .png()
      .toBuffer();
  const lockedDocx = (): Uint8Array =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(504),
      Buffer.from('EncryptedPackage', 'utf16le'),
      Buffer.alloc(400),
    ]);

  it.each([
    ['a PDF', 'pdf', () => textPdf('a', 'b'), 2],
    ['a locked PDF', 'pdf', encryptedPdf, 'pdf_encrypted'],
    ['a broken PDF', 'pdf', async () => Buffer.from('%PDF-'), 'pdf_broken'],
    ['a picture', 'image', png, 1],
    ['half a picture', 'image', async () => (await png()).subarray(0, 2000), 'image_broken'],
    ['a DOCX', 'docx', async () => docx(['x']), 1],
    ['a locked DOCX', 'docx', async () => lockedDocx(), 'office_encrypted'],
    [
      'a zip that is not a DOCX',
      'docx',
      async () => docx([], { 'word/document.xml': '' }).subarray(0, 60),
      'office_broken',
    ],
    ['a DOC that is not one', 'doc', async () => Buffer.from('garbage'), 'office_broken'],
  ] as [string, RawFileKind, () => Promise<Uint8Array>, number | string][])(
    'reports its kind: %s',
    async (_, kind, make, expected) => {
      const bytes = await make();
      const folder = await mkdtemp(join(tmpdir(), 'karaar-upload-'));
      const path = join(folder, 'upload');
      await writeFile(path, bytes);
      for (const source of [{ bytes }, { path }] as FileSource[]) {
        const work = renderer.prepareUpload({ name: 'upload', kind, ...source });
        const found = await work.then(({ pages }) => pages).catch((error) => error);
        if (typeof expected === 'number') expect(found).toBe(expected);
        else
          expect(found).toMatchObject({
            code: expected,
            retryable: false,
            message: expect.stringContaining('"upload"'),
          });
      }
      await rm(folder, { recursive: true });
    },
  );

  it('refuses a file above the limit of bytes', async () => {
    const work = open({ fileBytes: 100 }).prepareUpload({
      name: 'a.pdf',
      kind: 'pdf',
      bytes: await textPdf('a'),
    });
    await expect(work).rejects.toMatchObject({ code: 'too_large', file: 'a.pdf' });
  });
});
