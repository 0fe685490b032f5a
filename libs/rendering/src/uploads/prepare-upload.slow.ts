import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { PDF } from '@libpdf/core';
import {
  createRenderer,
  type PreparedUpload,
  type RawFileKind,
  type Renderer,
} from '../final-pdf/compose.ts';
import { checkOffice, officeFilter } from '../office/office-check.ts';
import { BLUE, box, onePage, rawPdf, type RawObject, RED } from '../testing/raw-pdf.ts';
import { docx, signedPdf, textPdf } from '@karaar/testing/made-up/files';
import sharp from 'sharp';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { complaints, difference, paint, textOf } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

const run = promisify(execFile);
let dir: string;
let renderer: Renderer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-prepare-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir: join(dir, 'work') });
});
afterAll(async () => {
  await renderer.close();
  await rm(dir, { recursive: true });
});

function prepare(bytes: Uint8Array, name = 'form.pdf', kind: RawFileKind = 'pdf'): Promise<PreparedUpload> {
  return renderer.prepareUpload({ name, kind, bytes });
}

/** Returns the prepared pages; expects that qpdf finds no fault and that they are content, not pictures. */
async function kept(bytes: Uint8Array): Promise<Uint8Array> {
  const { pdf, pictures } = await prepare(bytes);
  expect(pictures).toEqual([]);
  expect(await complaints(pdf)).toBe('');
  return pdf;
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const acroForm = (rest: string): string =>
  `/AcroForm << /Fields [5 0 R] /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 6 0 R >> >> ${rest} >>`;

/** A page with one field, object 5; the font is 6, `more` begins at 7. */
function form(field: string, more: readonly RawObject[] = [], flags = '/NeedAppearances true'): Uint8Array {
  return onePage('', {
    catalog: acroForm(flags),
    page: '/Annots [5 0 R]',
    more: [`<< /Type /Annot /Subtype /Widget /P 3 0 R /F 4 ${field} >>`, HELVETICA, ...more],
  });
}

const dark = async (pdf: Uint8Array, [x0, y0, x1, y1]: [number, number, number, number]): Promise<number> => {
  const { width, height, pixels } = await paint(pdf, 1, 72);
  let count = 0;
  for (let y = height - y1; y < height - y0; y += 1)
    for (let x = x0; x < x1; x += 1) if ((pixels[(y * width + x) * 3] ?? 255) < 110) count += 1;
  return count;
};

describe('a form is sealed as viewers show it', () => {
  it('the value, if the form marks its appearances as out of date', async () => {
    const stale = { dict: '/Subtype /Form /BBox [0 0 160 30]', stream: `${box('.9 .9 .9', 0, 0, 160, 30)}` };
    const field =
      '/FT /Tx /T (a) /V (Asha Rao) /DA (/Helv 14 Tf 0 g) /Rect [20 100 180 130] /AP << /N 7 0 R >>';
    expect(await textOf(await kept(form(field, [stale])))).toContain('Asha Rao');
  });

  it('the drawing, not the value, if it does not: viewers show the drawing', async () => {
    const drawn = {
      dict: '/Subtype /Form /BBox [0 0 160 30] /Resources << /Font << /Helv 6 0 R >> >>',
      stream: 'BT /Helv 14 Tf 5 10 Td (Drawn) Tj ET',
    };
    const field = '/FT /Tx /T (a) /V (Other) /DA (/Helv 14 Tf 0 g) /Rect [20 100 180 130] /AP << /N 7 0 R >>';
    const text = await textOf(await kept(form(field, [drawn], '')));
    expect(text).toContain('Drawn');
    expect(text).not.toContain('Other');
  });

  it('a choice', async () => {
    const field =
      '/FT /Ch /Ff 131072 /T (c) /V (Red) /Opt [(Red) (Blue)] /DA (/Helv 12 Tf 0 g) /Rect [20 100 180 130]';
    expect(await textOf(await kept(form(field)))).toContain('Red');
  });

  it('each whole digit of a comb field, in a font with low letters', async () => {
    const font =
      '<< /Type /Font /Subtype /TrueType /BaseFont /CourierNew /Encoding /WinAnsiEncoding /FirstChar 56 /LastChar 56 /Widths [600] /FontDescriptor 7 0 R >>';
    const descriptor =
      '<< /Type /FontDescriptor /FontName /CourierNew /Flags 34 /FontBBox [-122 -680 623 1021] /ItalicAngle 0 /Ascent 1021 /Descent -680 /CapHeight 571 /StemV 40 >>';
    const field =
      '/FT /Tx /Ff 29360128 /MaxLen 4 /T (pan) /V (8888) /DA (/CN 16 Tf 0 g) /Rect [20 100 77 119]';
    const source = onePage('', {
      catalog:
        '/AcroForm << /Fields [5 0 R] /NeedAppearances true /DA (/CN 16 Tf 0 g) /DR << /Font << /CN 6 0 R >> >> >>',
      page: '/Annots [5 0 R]',
      more: [`<< /Type /Annot /Subtype /Widget /P 3 0 R /F 4 ${field} >>`, font, descriptor],
    });
    const pdf = await kept(source);
    expect((await textOf(pdf)).replace(/\s/g, '')).toContain('8888');
    const box: [number, number, number, number] = [20, 100, 77, 119];
    expect(await dark(pdf, box)).toBeGreaterThan((await dark(source, box)) * 0.7);
  });

  it('a tick whose appearance has no bounding box', async () => {
    const tick: RawObject = { dict: '/Subtype /Form', stream: '0 g 2 2 m 8 2 l 18 18 l 12 18 l f' };
    const field = '/FT /Btn /T (t) /V /On /AS /On /Rect [20 100 40 120] /AP << /N << /On 7 0 R >> >>';
    expect(await dark(await kept(form(field, [tick], '')), [20, 100, 40, 120])).toBeGreaterThan(40);
  });

  it('a value in letters without a font in the form is refused, also next to an unreadable drawing', async () => {
    const value = `<FEFF${Buffer.from('आशा राव', 'utf16le').swap16().toString('hex')}>`;
    const field = `/FT /Tx /T (a) /V ${value} /DA (/Helv 14 Tf 0 g) /Rect [20 100 180 130]`;
    const drawn = { dict: '/Subtype /Form /BBox [0 0 160 30]', stream: box('0 0 0', 10, 10, 60, 10) };
    const refusal = { code: 'pdf_letters', file: 'form.pdf' };
    await expect(prepare(form(`${field} /AP << /N 7 0 R >>`, [drawn]))).rejects.toMatchObject(refusal);
    await expect(prepare(form(field))).rejects.toMatchObject(refusal);
  });
});

describe('comments are sealed as viewers show them', () => {
  const annotated = (annot: string): Uint8Array =>
    onePage(box('.95 .95 .95', 0, 0, 200, 200), {
      page: '/Annots [5 0 R]',
      more: [`<< /Type /Annot ${annot} >>`],
    });

  it.each([
    [
      'a filled square',
      '/Subtype /Square /Rect [20 20 120 120] /C [1 0 0] /IC [0 0 1] /BS << /W 4 >> /CA .5',
    ],
    ['a circle', '/Subtype /Circle /Rect [20 20 120 120] /C [1 0 0] /IC [0 1 0] /BS << /W 6 >>'],
    ['ink', '/Subtype /Ink /Rect [0 0 200 200] /C [0 0 1] /InkList [[20 20 100 150 180 30]] /BS << /W 5 >>'],
    ['the border of a link', '/Subtype /Link /Rect [20 20 120 80] /C [0 0 1] /Border [0 0 3]'],
  ])('%s, as content', async (_, annot) => {
    const source = annotated(annot);
    const { pictures, pdf } = await prepare(source);
    expect(pictures).toEqual([]);
    expect(difference(await paint(source, 1), await paint(annotated('/Subtype /Popup'), 1))).toBeGreaterThan(
      50,
    );
    expect(difference(await paint(pdf, 1), await paint(annotated('/Subtype /Popup'), 1))).toBeGreaterThan(50);
  });

  it('an arrow, which only one renderer draws, as a picture', async () => {
    const annot =
      '/Subtype /Line /Rect [0 0 200 200] /L [20 100 180 100] /LE [/None /ClosedArrow] /C [1 0 0] /IC [1 0 0] /BS << /W 4 >>';
    const source = annotated(annot);
    const { pictures, pdf } = await prepare(source);
    expect(pictures).toEqual([{ page: 1, why: 'missing' }]);
    const [before, after] = [await paint(source, 1, 72), await paint(pdf, 1, 72)];
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    for (const [x, y] of [
      [0.5, 0.5],
      [0.3, 0.5],
      [0.5, 0.85],
    ] as const) {
      before
        .at(x, y)
        .forEach((value, i) => expect(Math.abs(value - (after.at(x, y)[i] ?? 0))).toBeLessThan(60));
    }
  });
});

it('takes at most the time that its caller allows', async () => {
  const hasty = createRenderer({
    chromiumPath: CHROMIUM,
    sofficePath: SOFFICE,
    workDir: join(dir, 'hasty'),
    limits: { jobMs: 1 },
  });
  const file = { name: 'a.pdf', kind: 'pdf', bytes: await textPdf('One') } as const;
  await expect(hasty.prepareUpload(file)).rejects.toMatchObject({ code: 'timeout' });
  expect((await hasty.prepareUpload(file, { maxMs: 60_000 })).pages).toBe(1);
  await hasty.close();
});

it('if Poppler does not finish, PDFium decides', async () => {
  const folder = join(dir, 'hanging');
  await mkdir(folder);
  for (const program of ['pdftoppm', 'pdftotext'])
    await writeFile(join(folder, program), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const hanging = createRenderer({
    chromiumPath: CHROMIUM,
    sofficePath: SOFFICE,
    pdftoppmPath: join(folder, 'pdftoppm'),
    workDir: join(dir, 'hanging-work'),
    limits: { popplerMs: 300 },
  });
  const bytes = await textPdf('One', 'Two');
  const { pages, pictures } = await hanging.prepareUpload({ name: 'a.pdf', kind: 'pdf', bytes });
  expect([pages, pictures]).toEqual([2, []]);
  await hanging.close();
});

it('if PDFium does not finish, Poppler decides and draws the thumbnail', async () => {
  const slow = createRenderer({
    chromiumPath: CHROMIUM,
    sofficePath: SOFFICE,
    workDir: join(dir, 'slow-pdfium'),
    limits: { pdfiumMs: 1 },
  });
  const file = { name: 'a.pdf', kind: 'pdf' } as const;
  const made = await slow.prepareUpload({ ...file, bytes: await textPdf('One', 'Two') });
  expect([made.pages, made.pictures]).toEqual([2, []]);
  expect(made.texts).toEqual([expect.stringContaining('One'), expect.stringContaining('Two')]);
  expect(Buffer.from(made.thumbnail.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
  await slow.close();
});

describe('a page on which neither renderer finishes', () => {
  /** The last page blends colours over a large area, more often than either renderer can finish. */
  const endless = (pages: number): Uint8Array =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, i) => `${4 + i} 0 R`).join(' ')}] /Count ${pages} >>`,
      { stream: `/G gs ${'1 0 0 rg 0 0 1600 1600 re f 0 1 0 rg 0 0 1600 1600 re f\n'.repeat(20_000)}` },
      ...Array.from(
        { length: pages },
        (_, i) =>
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1600 1600] ${i === pages - 1 ? '/Contents 3 0 R' : ''} /Resources << /ExtGState << /G << /ca .5 /BM /Luminosity >> >> >> >>`,
      ),
    ]);

  it.each([1, 3])('is refused, by its number, of %i', async (pages) => {
    const hasty = createRenderer({
      chromiumPath: CHROMIUM,
      sofficePath: SOFFICE,
      workDir: join(dir, `endless-${pages}`),
      limits: { popplerMs: 2_000, pdfiumMs: 3_000 },
    });
    const begun = performance.now();
    const work = hasty.prepareUpload({ name: 'a.pdf', kind: 'pdf', bytes: endless(pages) });
    await expect(work).rejects.toMatchObject({
      code: 'pdf_broken',
      message: `Page ${pages} of "a.pdf" takes too long to be drawn. Please print it to PDF and upload that file.`,
    });
    expect(performance.now() - begun).toBeLessThan(40_000);
    await hasty.close();
  });
});

it('a step that takes too long refuses the file, and is not retryable', async () => {
  const hasty = createRenderer({
    chromiumPath: CHROMIUM,
    sofficePath: SOFFICE,
    workDir: join(dir, 'hasty-steps'),
    limits: { pdfMs: 1 },
  });
  const work = hasty.prepareUpload({ name: 'a.pdf', kind: 'pdf', bytes: await textPdf('One') });
  await expect(work).rejects.toMatchObject({ code: 'pdf_broken', retryable: false });
  await hasty.close();
});

it.each([
  '/BS << /W 2 /S /D /D [3 2] >>',
  '/BS << /W 2 /S /U >>',
  '/BS << /W 2 /S /B >>',
  '/Border [6 6 2]',
  '/Border [0 0 1 [4 2]]',
  '/C []',
  '',
  '/BS << /W 0 >>',
  '/Border [0 0 0]',
  '/Border [0 0 0.3]',
  '/H /O /BS << /Type /Border /W 1.5 /S /I >>',
  '/Border [0 0 5] /C [0.8]',
  '/C [0 1 1 0] /BS << /W 1 >>',
  '/QuadPoints [18 120 120 120 18 95 120 95]',
  '/Border [0 0 1 []]',
  '/Border [4 4 1 [1]]',
])('the border of a link (%s) needs no consent', async (border) => {
  const link = `<< /Type /Annot /Subtype /Link /F 4 /C [0 0 1] /Rect [18 95 120 120] ${border} /A << /S /URI /URI (https://example.org) >> >>`;
  const page = '/Annots [6 0 R] /Resources << /Font << /F1 5 0 R >> >>';
  const source = onePage('BT /F1 14 Tf 20 100 Td (A link to read) Tj ET', { page, more: [HELVETICA, link] });
  expect((await prepare(source)).pictures).toEqual([]);
});

describe('the text of pages', () => {
  const words = (text: string): string => `BT /F1 14 Tf 20 150 Td (${text}) Tj ET`;
  const withFont = `/Resources << /Font << /F1 5 0 R >> >>`;

  it('is that of each page, in order, and null for a page without words', async () => {
    const pages = await prepare(await textPdf('First words', 'Second words'));
    expect(pages.texts).toEqual([
      expect.stringContaining('First words'),
      expect.stringContaining('Second words'),
    ]);
    expect((await prepare(onePage(box(RED, 20, 20, 100, 100)))).texts).toEqual([null]);
  });

  it('is that of the upload for a page sealed as a picture', async () => {
    const arrow =
      '<< /Type /Annot /Subtype /Line /Rect [0 0 200 200] /L [20 100 180 100] /LE [/None /ClosedArrow] /C [1 0 0] /IC [1 0 0] /BS << /W 4 >> >>';
    const page = `/Annots [6 0 R] ${withFont}`;
    const made = await prepare(onePage(words('Said in words'), { page, more: [HELVETICA, arrow] }));
    expect(made.pictures).toEqual([{ page: 1, why: 'missing' }]);
    expect(made.texts).toEqual(['Said in words']);
    expect(await textOf(made.pdf)).not.toContain('Said');
  });
});

describe('damaged files', () => {
  it('a cross-reference table with wrong offsets is repaired: no blank page is sealed', async () => {
    // The page's entry leads to a dictionary that is not a page.
    const page = onePage(box(RED, 20, 20, 100, 100), { more: ['<< /FT /Sig /T (x) >>'] });
    const whole = Buffer.from(page).toString('latin1');
    const entry = (object: number): string =>
      `${String(whole.indexOf(`${object} 0 obj`)).padStart(10, '0')} 00000 n`;
    const pdf = await kept(Buffer.from(whole.replace(entry(3), entry(5)), 'latin1'));
    expect((await paint(pdf, 1)).at(0.3, 0.7)).toEqual([255, 0, 0]);
  });

  it('a file without a table is accepted, as viewers accept it', async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
      { stream: box(RED, 0, 0, 5, 5) },
    ];
    expect((await prepare(rawPdf(objects, { xref: false }))).pages).toBe(1);
  });

  it('a truncated file is refused, unless all its pages remain', async () => {
    const whole = Buffer.from(await textPdf('One', 'Two', 'Three'));
    let refused = 0;
    for (let length = 20; length < whole.length; length += Math.ceil(whole.length / 12)) {
      const outcome = await prepare(whole.subarray(0, length)).then(
        ({ pages }) => pages,
        (error) => error.code,
      );
      if (outcome !== 3) expect(outcome).toBe('pdf_broken');
      if (outcome !== 3) refused += 1;
    }
    expect(refused).toBeGreaterThan(6);
  });

  it('linearised and then saved incrementally is not damage, wherever before the first table it leads back to', async () => {
    const [plain, linear] = [join(dir, 'plain.pdf'), join(dir, 'linear.pdf')];
    await writeFile(plain, onePage(box(RED, 20, 20, 100, 100)));
    await run('qpdf', ['--linearize', '--object-streams=generate', plain, linear]);
    const text = (await readFile(linear)).toString('latin1');
    // As real programs save it: /Prev points to the padding before the first table, not to the table itself.
    const first = text.search(/\d+ 0 obj\s+<< \/Type \/XRef/);
    const padding = first - 12;
    expect(text.slice(padding, first)).toMatch(/^\s+$/);
    const at = text.length;
    const added = '99 0 obj\n(note)\nendobj\n';
    const entry = `${String(at).padStart(10, '0')} 00000 n`;
    const root = /\/Root (\d+ 0 R)/.exec(text)?.[1];
    const update = `${text}${added}xref\n99 1\n${entry} \ntrailer\n<< /Size 100 /Root ${root} /Prev ${padding} >>\nstartxref\n${at + added.length}\n%%EOF\n`;
    const bytes = Buffer.from(update, 'latin1');
    // Our reader cannot find the first table: without the repair the file is refused.
    await expect(PDF.load(bytes)).rejects.toThrow('no catalog');
    const pdf = await kept(bytes);
    expect((await paint(pdf, 1)).at(0.3, 0.7)).toEqual([255, 0, 0]);
  });

  describe('with object streams and a table at a wrong offset', () => {
    let whole: string;
    beforeAll(async () => {
      const [plain, packed] = [join(dir, 'unpacked.pdf'), join(dir, 'packed.pdf')];
      await writeFile(plain, await textPdf('First words', 'Second words'));
      await run('qpdf', ['--object-streams=generate', plain, packed]);
      whole = (await readFile(packed)).toString('latin1');
      expect(whole).toContain('/ObjStm');
    });
    const startAt = (place: number | string) => whole.replace(/startxref\s+\d+/, `startxref\n${place}`);
    it.each([
      ['a place in the middle of an object', () => startAt(60)],
      ['a place before it', () => startAt(Math.max(0, Number(/startxref\s+(\d+)/.exec(whole)?.[1]) - 7))],
      ['a place beyond the end', () => startAt(99_999_999)],
      ['no number', () => startAt('x')],
      ['nothing', () => whole.replace(/startxref\s+\d+\s+/, '')],
      ['places that bytes before the header have moved', () => `mail: a header\r\n\r\n${whole}`],
      [
        'places that bytes after the header have moved',
        () => whole.replace('\n', '\n% a line that a program put in\n'),
      ],
    ])('%s: all pages are read, as viewers read them', async (_, damaged) => {
      const { pages, texts, pictures } = await prepare(Buffer.from(damaged(), 'latin1'));
      expect([pages, pictures]).toEqual([2, []]);
      expect(texts).toEqual([
        expect.stringContaining('First words'),
        expect.stringContaining('Second words'),
      ]);
    });

    it('is refused if a part was cut off', async () => {
      for (const share of [0.3, 0.6, 0.9]) {
        const part = Buffer.from(whole.slice(0, Math.floor(whole.length * share)), 'latin1');
        await expect(prepare(part)).rejects.toMatchObject({ code: 'pdf_broken' });
      }
    });
  });

  it('encrypted: accepted if it opens without a password, else refused with that reason, damaged or not', async () => {
    const locked = async (userPassword: string): Promise<Uint8Array> => {
      const pdf = await PDF.load(await textPdf('Hidden words'));
      pdf.setProtection({ userPassword, ownerPassword: 'owner' });
      return pdf.save();
    };
    expect(await textOf(await kept(await locked('')))).toContain('Hidden words');
    const refusal = { code: 'pdf_encrypted', message: expect.stringContaining('protected with a password') };
    await expect(prepare(await locked('secret'))).rejects.toMatchObject(refusal);
    const text = Buffer.from(await locked('secret')).toString('latin1');
    const damaged = Buffer.from(text.replace(/startxref\s+\d+/, 'startxref\n1'), 'latin1');
    await expect(prepare(damaged)).rejects.toMatchObject(refusal);
  });
});

it.each([
  ['an unknown program', '/Filter /FooBar.Secure /V 1'],
  ['a certificate', '/Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s4 /V 1 /Recipients [<00>]'],
  ['a method newer than its readers', '/Filter /Standard /V 9 /R 9 /O (o) /U (u) /P -4'],
])('locked by %s: refused with that reason, not for a password', async (_, encrypt) => {
  const trailer = '/ID [<00><00>] /Encrypt 5 0 R';
  const locked = onePage(box(RED, 20, 20, 100, 100), { trailer, more: [`<< ${encrypt} >>`] });
  const refusal = { code: 'pdf_cipher', message: expect.stringContaining('no viewer here can undo') };
  await expect(prepare(locked)).rejects.toMatchObject(refusal);
});

describe('a file with other files in it is refused with that reason', () => {
  const FILE = [
    '<< /Type /Filespec /F (b.txt) /EF << /F 6 0 R >> >>',
    { dict: '/Type /EmbeddedFile', stream: 'Annex B' },
  ];
  const annot = (rest: string): string => `/Annots [<< /Type /Annot /F 4 /Rect [20 20 40 40] ${rest} >>]`;
  it.each([
    ['in its list', { catalog: '/Names << /EmbeddedFiles << /Names [(b.txt) 5 0 R] >> >>' }],
    ['in a tree', { catalog: '/Names << /EmbeddedFiles << /Kids [<< /Names [(b.txt) 5 0 R] >>] >> >>' }],
    ['that belong to it', { catalog: '/AF [5 0 R]' }],
    ['that belong to a page', { page: '/AF [5 0 R]' }],
    ['at a paper clip', { page: annot('/Subtype /FileAttachment /FS 5 0 R') }],
  ])('%s', async (_, entries) => {
    const source = onePage(box(RED, 20, 20, 100, 100), { ...entries, more: FILE });
    await expect(prepare(source)).rejects.toMatchObject({ code: 'pdf_attachments', file: 'form.pdf' });
  });

  it('a file that only names another file is accepted', async () => {
    const entries = { catalog: '/AF [5 0 R]', page: annot('/Subtype /FileAttachment /FS 5 0 R') };
    const source = onePage(box(RED, 20, 20, 100, 100), {
      ...entries,
      more: ['<< /Type /Filespec /F (b.txt) >>'],
    });
    expect((await prepare(source)).pages).toBe(1);
  });
});

describe('parts that flat pages cannot hold are reported', () => {
  const SCHEMAS = 'http://schemas.openxmlformats.org';
  const RELATION = `${SCHEMAS}/officeDocument/2006/relationships`;
  const WORD = `${SCHEMAS}/wordprocessingml/2006/main`;

  it('signatures, whose picture stays', async () => {
    const { pdf, leftOut, pictures } = await prepare(signedPdf('Sale deed'));
    expect({ leftOut, pictures }).toEqual({ leftOut: ['signatures'], pictures: [] });
    expect(await textOf(pdf)).toContain('Signature valid');
  });

  it.each([
    ['that is hidden', '/OFF [5 0 R]', ['hidden']],
    ['that shows', '/ON [5 0 R]', []],
    ['that shows in print only', '/AS [<< /Event /View /OCGs [5 0 R] /Category [/View] >>]', ['hidden']],
  ])('a layer %s', async (_, config, leftOut) => {
    const source = onePage(`${box(BLUE, 0, 0, 50, 50)} /OC /L BDC ${box(RED, 50, 50, 100, 100)} EMC`, {
      catalog: `/OCProperties << /OCGs [5 0 R] /D << ${config} >> >>`,
      page: '/Resources << /Properties << /L 5 0 R >> >>',
      more: [
        '<< /Type /OCG /Name (x) /Usage << /View << /ViewState /OFF >> /Print << /PrintState /ON >> >> >>',
      ],
    });
    expect((await prepare(source)).leftOut).toEqual(leftOut);
  });

  it('a video, whose still picture stays: it is not a file that could be uploaded instead', async () => {
    const still = { dict: '/Subtype /Form /BBox [0 0 100 100]', stream: box(RED, 0, 0, 100, 100) };
    const source = onePage('', {
      page: `/Annots [<< /Type /Annot /Subtype /RichMedia /F 4 /Rect [20 20 120 120] /AP << /N 7 0 R >> /RichMediaContent << /Assets << /Names [(b.mp4) 5 0 R] >> >> >>]`,
      more: [
        '<< /Type /Filespec /F (b.mp4) /EF << /F 6 0 R >> >>',
        { dict: '/Type /EmbeddedFile', stream: 'film' },
        still,
      ],
    });
    const { pdf, leftOut } = await prepare(source);
    expect(leftOut).toEqual(['media']);
    expect((await paint(pdf, 1)).at(0.3, 0.7)).toEqual([255, 0, 0]);
  });

  it('comments, hidden text and the text of other files in a Word file, and nothing for a plain file', async () => {
    const parts = {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${[
        ['rId1', 'comments', 'comments.xml'],
        ['rId2', 'aFChunk', 'more.html'],
      ]
        .map(
          ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`,
        )
        .join('')}</Relationships>`,
      'word/comments.xml': `<w:comments xmlns:w="${WORD}"><w:comment w:id="0" w:author="A"><w:p><w:r><w:t>REMARK</w:t></w:r></w:p></w:comment></w:comments>`,
      'word/more.html': '<p>MORE</p>',
    };
    const hidden =
      'Rent</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>SECRET</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>';
    const more = `<w:altChunk xmlns:r="${RELATION}" r:id="rId2"/><w:p><w:r><w:t>Terms`;
    const { pdf, leftOut } = await prepare(docx([`${hidden}${more}`], parts), 'lease.docx', 'docx');
    expect([...leftOut].sort()).toEqual(['comments', 'hidden', 'linked']);
    const text = await textOf(pdf);
    expect(text).toContain('Terms');
    for (const word of ['SECRET', 'REMARK', 'MORE']) expect(text).not.toContain(word);
    expect((await prepare(docx(['Rent']), 'lease.docx', 'docx')).leftOut).toEqual([]);
  });

  it('tracked changes in a Word file stay visible, struck out or underlined', async () => {
    const by = 'w:id="1" w:author="A" w:date="2026-11-20T10:00:00Z"';
    const changed = `Rent </w:t></w:r><w:del ${by}><w:r><w:delText>10,000</w:delText></w:r></w:del><w:ins ${by}><w:r><w:t>12,000</w:t></w:r></w:ins><w:r><w:t> a month`;
    const { pdf, leftOut } = await prepare(docx([changed]), 'lease.docx', 'docx');
    expect(leftOut).toEqual([]);
    const text = await textOf(pdf);
    for (const words of ['10,000', '12,000']) expect(text).toContain(words);
  });

  it('the frames of an animation after its first', async () => {
    const still = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#00f' } })
      .png()
      .toBuffer();
    // Directly after the header (ISO 15948 §11.2.2): two frames.
    const control = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex');
    const animated = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    expect((await prepare(animated, 'seal.png', 'image')).leftOut).toEqual(['frames']);
    expect((await prepare(still, 'seal.png', 'image')).leftOut).toEqual([]);
  });
});

describe('a file whose attached files alone are encrypted', () => {
  const locked = (filters: string, version = '/V 4 /R 4'): string =>
    `<< /Filter /Standard ${version} /Length 128 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> ${filters} >>`;
  const FILES = { catalog: '/Names << /EmbeddedFiles << /Names [(b.txt) 5 0 R] >> >>' };
  const FILE = [
    '<< /Type /Filespec /F (b.txt) /EF << /F 6 0 R >> >>',
    { dict: '/Type /EmbeddedFile', stream: 'Annex B' },
  ];
  const id = `/ID [<${'ef'.repeat(16)}> <${'ef'.repeat(16)}>]`;

  it.each([
    ['/StmF /Identity /StrF /Identity /EFF /StdCF', undefined],
    ['/EFF/StdCF', undefined],
    ['/EFF /Files', '/V 5 /R 6'],
  ])('is refused for these files, not for a password (%s)', async (filters, version) => {
    const more = [...FILE, locked(filters, version)];
    const source = onePage('', { ...FILES, more, trailer: `/Encrypt 7 0 R ${id}` });
    await expect(prepare(source)).rejects.toMatchObject({ code: 'pdf_attachments', file: 'form.pdf' });
    const inTrailer = onePage('', {
      ...FILES,
      more: FILE,
      trailer: `${id} /Encrypt ${locked(filters, version)}`,
    });
    await expect(prepare(inTrailer)).rejects.toMatchObject({ code: 'pdf_attachments' });
  });

  it.each(['/StmF /StdCF /StrF /StdCF /EFF /StdCF', '/StmF /StdCF', '/StrF /StdCF /EFF /StdCF'])(
    'is refused for its password if its pages are encrypted too (%s)',
    async (filters) => {
      const source = onePage('', {
        more: ['null', 'null', locked(filters)],
        trailer: `/Encrypt 7 0 R ${id}`,
      });
      await expect(prepare(source)).rejects.toMatchObject({ code: 'pdf_encrypted' });
    },
  );

  it('treats an encrypted attached file like other attached files', async () => {
    const pdf = await PDF.load(await textPdf('Hidden words'));
    pdf.setProtection({ userPassword: 'secret', ownerPassword: 'owner' });
    const stream = Buffer.from(await pdf.save()).toString('latin1');
    const more = [FILE[0] ?? '', { dict: '/Type /EmbeddedFile', stream }];
    const source = Buffer.from(onePage('', { ...FILES, more })).toString('latin1');
    const refusal = { code: 'pdf_attachments' };
    await expect(prepare(Buffer.from(source, 'latin1'))).rejects.toMatchObject(refusal);
  });
});

it('unusual boxes: a crop box, a rotation, a unit and a negative origin keep size and look', async () => {
  const page = '/MediaBox [-50 -50 250 350] /CropBox [0 0 200 300] /Rotate 90 /UserUnit 1.5';
  const source = onePage(box(RED, 0, 0, 100, 100) + box(BLUE, 100, 200, 100, 100), { page });
  const pdf = await kept(source);
  expect(difference(await paint(source, 1), await paint(pdf, 1))).toBeLessThanOrEqual(2);
});

describe('Word files', () => {
  it('a file name field prints the name that the user gave the file', async () => {
    const field =
      '</w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> FILENAME </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>';
    const { pdf } = await prepare(docx([`Name: ${field}`]), 'Rent of shop 4.docx', 'docx');
    expect(await textOf(pdf)).toContain('Rent of shop 4');
  });

  it.each(['docx', 'doc'] as const)('a file path field prints only the name, in a %s', async (kind) => {
    const bytes =
      kind === 'docx'
        ? docx([
            `Name: </w:t></w:r><w:fldSimple w:instr=" FILENAME \\p "><w:r><w:t>old</w:t></w:r></w:fldSimple><w:r><w:t>`,
          ])
        : Buffer.from('{\\rtf1\\ansi Name: {\\field{\\*\\fldinst FILENAME \\\\p}{\\fldrslt old}}\\par}');
    const text = await textOf((await prepare(bytes, `Rent of shop 4.${kind}`, kind)).pdf);
    expect(text).toContain('Rent of shop 4');
    expect(text).not.toMatch(/\/|\\/);
  });

  it.each([
    ['Word 6', 0xa5dc, 101, 'MS WinWord 6.0'],
    ['Word 95', 0xa5dc, 104, 'MS Word 95'],
    ['Word 6, by its other mark', 0xa699, 101, 'MS WinWord 6.0'],
    ['Word 97 and later', 0xa5ec, 193, 'MS Word 97'],
  ])('a DOC of %s is opened with the right filter, wherever its header is', (_, magic, version, filter) => {
    for (const at of [512, 2432]) {
      const bytes = Buffer.alloc(6144);
      Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
      bytes.writeUInt16LE(magic, at);
      bytes.writeUInt16LE(version, at + 2);
      checkOffice('old.doc', 'doc', bytes);
      expect(officeFilter('doc', bytes)).toBe(filter);
      bytes.writeUInt16LE(0x0100, at + 10);
      expect(() => checkOffice('old.doc', 'doc', bytes)).toThrow('protected with a password');
    }
  });

  it('RTF with the extension .doc becomes pages', async () => {
    const rtf = Buffer.from('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Words in RTF\\par}');
    expect(await textOf((await prepare(rtf, 'letter.doc', 'doc')).pdf)).toContain('Words in RTF');
  });

  it('a Word file with macros or a password is refused with that reason', async () => {
    await expect(
      prepare(docx(['x'], { 'word/vbaProject.bin': 'x' }), 'a.docx', 'docx'),
    ).rejects.toMatchObject({
      code: 'office_macros',
    });
    const locked = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(504),
      Buffer.from('EncryptedPackage', 'utf16le'),
      Buffer.alloc(400),
    ]);
    await expect(prepare(locked, 'a.docx', 'docx')).rejects.toMatchObject({ code: 'office_encrypted' });
  });
});
