/** Field values and comments are sealed as viewers show them: never an older drawing, never with gaps. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import sharp from 'sharp';
import { createRenderer, type PreparedUpload, type Renderer } from '../final-pdf/compose.ts';
import { onePage, type RawObject } from '../testing/raw-pdf.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { textOf } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

let dir: string;
let renderer: Renderer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-shown-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir: join(dir, 'work') });
});
afterAll(async () => {
  await renderer.close();
  await rm(dir, { recursive: true });
});

const prepare = (bytes: Uint8Array): Promise<PreparedUpload> =>
  renderer.prepareUpload({ name: 'form.pdf', kind: 'pdf', bytes });

const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
const utf16 = (text: string): string => hex(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const DRAWN_IN = '/Subtype /Form /BBox [0 0 160 30] /Resources << /Font << /Helv 6 0 R >> >>';

const drawn = (text: string): RawObject => ({
  dict: DRAWN_IN,
  stream: `/Tx BMC q BT /Helv 14 Tf 0 g 5 10 Td (${text}) Tj ET Q EMC`,
});

/**
 * A page with a field whose form asks for new drawings; object 5 is the field, 6 a font, 7 its old drawing,
 * more follow.
 */
function form(
  field: string,
  old: RawObject | undefined = drawn('Rs 10,000'),
  more: readonly RawObject[] = [],
  annots = '[5 0 R]',
): Uint8Array {
  const look = old === undefined ? '' : '/AP << /N 7 0 R >>';
  return onePage('', {
    catalog:
      '/AcroForm << /Fields [5 0 R] /NeedAppearances true /DA (/Helv 14 Tf 0 g) /DR << /Font << /Helv 6 0 R >> >> >>',
    page: `/Annots ${annots}`,
    more: [
      `<< /Type /Annot /Subtype /Widget /P 3 0 R /F 4 /DA (/Helv 14 Tf 0 g) /Rect [20 100 180 130] ${look} ${field} >>`,
      HELVETICA,
      old ?? 'null',
      ...more,
    ],
  });
}

const comment = (annot: string): Uint8Array =>
  onePage('', {
    catalog: '/AcroForm << /Fields [] /DR << /Font << /Helv 6 0 R >> >> >>',
    page: '/Annots [5 0 R]',
    more: [`<< /Type /Annot /P 3 0 R /F 4 /Rect [20 100 180 130] ${annot} >>`, HELVETICA],
  });

const LETTERS = { code: 'pdf_letters', file: 'form.pdf' };

describe('next to the old drawing of another value', () => {
  it.each([
    ['text', '/FT /Tx /T (a) /V (Rs 25,000)', 'Rs 25,000'],
    ['text in UTF-8', `/FT /Tx /T (a) /V ${hex(Buffer.from('\ufeffRs 25,000 é'))}`, 'Rs 25,000 é'],
    [
      'text in the other byte order',
      `/FT /Tx /T (a) /V ${hex(Buffer.from('\ufeffRs 25', 'utf16le'))}`,
      'Rs 25',
    ],
    ['a comb', '/FT /Tx /Ff 16777216 /MaxLen 6 /T (a) /V (250007)', '250007'],
    ['several lines', '/FT /Tx /Ff 4096 /T (a) /V (Rs 25 and\\rnothing else)', 'Rs25andnothingelse'],
    ['a choice', '/FT /Ch /Ff 131072 /T (a) /V (Blue) /Opt [(Red) (Blue)]', 'Blue'],
    ['a choice by its code', '/FT /Ch /Ff 131072 /T (a) /V (2) /Opt [[(1) (Red)] [(2) (Blue)]]', 'Blue'],
    [
      'an inherited value',
      '/Parent 8 0 R',
      'Rs 25,000',
      ['<< /FT /Tx /T (a) /V (Rs 25,000) /Kids [5 0 R] >>'],
    ],
    ['a value in a stream', '/FT /Tx /T (a) /V 8 0 R', 'Rs 25,000', [{ stream: 'Rs 25,000' }]],
  ] as [string, string, string, RawObject[]?][])('%s is sealed', async (_, field, shown, more = []) => {
    const { pdf, pictures, texts } = await prepare(form(field, drawn('Rs 10,000'), more));
    const text = ((await textOf(pdf)) + String(texts)).replace(/\s/g, '');
    expect(text).not.toContain('10,000');
    if (pictures.length === 0) expect(text).toContain(shown.replace(/\s/g, ''));
  });

  it.each([
    ['a rupee sign', '₹ 25,000'],
    ['Devanagari', 'पच्चीस हज़ार'],
    ['Tamil', 'இருபத்தைந்து'],
    ['a letter of Polish', 'Załącznik'],
    ['Urdu', 'پچیس ہزار'],
    ['an emoji', '25 🙂'],
  ])('%s is refused with its reason, because viewers show gaps', async (_, value) => {
    const kinds = [
      `/FT /Tx /T (a) /V ${utf16(value)}`,
      `/FT /Tx /Ff 4096 /T (a) /V ${utf16(value)}`,
      `/FT /Tx /Ff 16777216 /MaxLen 40 /T (a) /V ${utf16(value)}`,
      `/FT /Ch /Ff 131072 /T (a) /V (2) /Opt [[(1) (Red)] [(2) ${utf16(value)}]]`,
      `/FT /Ch /T (a) /V (2) /Opt [[(1) (Red)] [(2) ${utf16(value)}]]`,
      `/FT /Btn /Ff 65536 /T (a) /MK << /CA ${utf16(value)} >>`,
    ];
    for (const field of kinds) await expect(prepare(form(field))).rejects.toMatchObject(LETTERS);
    await expect(prepare(form(kinds[0] ?? '', { dict: DRAWN_IN, stream: '' }))).rejects.toMatchObject(
      LETTERS,
    );
    await expect(
      prepare(
        form('/Parent 8 0 R', drawn('Rs 10,000'), [`<< /FT /Tx /T (a) /V ${utf16(value)} /Kids [5 0 R] >>`]),
      ),
    ).rejects.toMatchObject(LETTERS);
  });

  it('a deleted value is not sealed', async () => {
    for (const value of ['/V ()', '']) {
      const { pdf, texts } = await prepare(form(`/FT /Tx /T (a) ${value}`));
      expect((await textOf(pdf)) + String(texts)).not.toContain('10,000');
    }
  });

  it('each of several widgets of a field is sealed with the value, or refused', async () => {
    const second =
      '<< /Type /Annot /Subtype /Widget /P 3 0 R /F 4 /Parent 8 0 R /Rect [20 40 180 70] /AP << /N 7 0 R >> >>';
    const both = (value: string): Uint8Array =>
      form(
        '/Parent 8 0 R',
        drawn('Rs 10,000'),
        [`<< /FT /Tx /T (a) /V ${value} /DA (/Helv 14 Tf 0 g) /Kids [5 0 R 9 0 R] >>`, second],
        '[5 0 R 9 0 R]',
      );
    const { texts } = await prepare(both('(Rs 25,000)'));
    expect(String(texts).match(/25,000/g)).toHaveLength(2);
    expect(String(texts)).not.toContain('10,000');
    await expect(prepare(both(utf16('₹ 25,000')))).rejects.toMatchObject(LETTERS);
  });

  it.each([
    ['a tick that is out', '/V /Off /AS /Off', false],
    ['a tick whose state was not kept up', '/V /Yes /AS /Off', false],
    ['a tick', '/V /Yes /AS /Yes', true],
  ])('%s is sealed as viewers show it', async (_, state, isSeen) => {
    const source = form(`/FT /Btn /T (a) ${state} /AP << /N << /Yes 7 0 R >> >>`, drawn('Agreed'));
    const bytes = Buffer.from(
      Buffer.from(source).toString('latin1').replace('/AP << /N 7 0 R >>', ''),
      'latin1',
    );
    const { data } = await sharp((await prepare(bytes)).thumbnail)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data.some((value) => value < 100)).toBe(isSeen);
  });
});

describe('a field without a mark for new drawings', () => {
  const still = (field: string, old: RawObject): Uint8Array =>
    Buffer.from(
      Buffer.from(form(field, old)).toString('latin1').replace('/NeedAppearances true', ' '.repeat(21)),
      'latin1',
    );
  const EMPTY: RawObject = { dict: DRAWN_IN, stream: '/Tx BMC EMC' };
  const FORMAT = '/AA << /F << /S /JavaScript /JS (AFNumber_Format) >> >>';

  it.each([
    ['another value', '/FT /Tx /T (a) /V (Rs 25,000)', drawn('Rs 10,000')],
    ['another value than one with ₹', `/FT /Tx /T (a) /V ${utf16('₹ 25,000')}`, drawn('Rs 10,000')],
    ['nothing', '/FT /Tx /T (a) /V (Rs 25,000)', EMPTY],
    ['a part of a comb', '/FT /Tx /Ff 16777216 /MaxLen 4 /T (a) /V (123456789)', drawn('1234')],
    ['another choice', '/FT /Ch /Ff 131072 /T (a) /V (2) /Opt [[(1) (Red)] [(2) (Blue)]]', drawn('Red')],
    ['another entry of a list', '/FT /Ch /T (a) /V (Blue) /Opt [(Red) (Blue)]', drawn('Red')],
    ['another number, formatted', `/FT /Tx /T (a) /V (25000) ${FORMAT}`, drawn('10,000.00')],
  ])('that draws %s is sealed only if its sender accepts that', async (_, field, old) => {
    expect((await prepare(still(field, old))).leftOut).toContain('values');
  });

  it.each([
    ['its value', '/FT /Tx /T (a) /V (Rs 25,000)', drawn('Rs 25,000')],
    ['no value', '/FT /Tx /T (a)', EMPTY],
    ['its number, formatted', `/FT /Tx /T (a) /V (25000.5) ${FORMAT}`, drawn('Rs 25,000.50')],
    ['its day, formatted', `/FT /Tx /T (a) /V (2026-11-28) ${FORMAT}`, drawn('28 Nov 2026')],
    [
      'the name of its choice',
      '/FT /Ch /Ff 131072 /T (a) /V (2) /Opt [[(1) (Red)] [(2) (Blue)]]',
      drawn('Blue'),
    ],
    ['its entry of a list', '/FT /Ch /T (a) /V (Blue) /Opt [(Red) (Blue) (Green)]', drawn('Blue Green')],
    ['stars for a password', '/FT /Tx /Ff 8192 /T (a) /V (secret)', drawn('******')],
  ])('that draws %s needs no question', async (_, field, old) => {
    expect((await prepare(still(field, old))).leftOut).not.toContain('values');
  });

  it('asks also if new drawings are wanted and none shows the value', async () => {
    const rich = '/FT /Tx /Ff 33554432 /T (a) /RV (<body><p>Rs 25,000</p></body>)';
    expect((await prepare(form(rich))).leftOut).toEqual(['values']);
  });
});

describe('a drawing of the value', () => {
  const glyph: RawObject = { stream: '600 0 0 0 500 700 d1 0 0 500 700 re f' };
  const glyphs = 'uni20B9 two five zero comma one'.split(' ');
  const font = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 44 /LastChar 65 /Widths [${'600 '.repeat(22)}] /Encoding << /Differences [44 /comma 48 /zero /one /two 53 /five 65 /uni20B9] >> /CharProcs << ${glyphs.map((name) => `/${name} 11 0 R`).join(' ')} >> /Resources << >> /ToUnicode 9 0 R >>`;
  const map = {
    stream:
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar <41> <20B9> <42> <0142> <43> <0105> endbfchar 1 beginbfrange <20> <40> <0020> endbfrange endcmap end end',
  };
  const own = (text: string): RawObject => ({
    dict: '/Subtype /Form /BBox [0 0 160 30] /Resources << /Font << /Own 8 0 R >> >>',
    stream: `0 g BT /Own 14 Tf 5 10 Td (${text}) Tj ET`,
  });
  const field = `/FT /Tx /T (a) /V ${utf16('₹ 25,000')}`;

  it('is kept, without consent, although viewers lack its letters', async () => {
    const { texts, pictures } = await prepare(form(field, own('A 25,000'), [font, map, 'null', glyph]));
    expect(pictures).toEqual([]);
    expect(String(texts)).toMatch(/₹ ?25,000/);
  });

  it('does not hide a difference in another part of the page', async () => {
    const arrow =
      '<< /Type /Annot /Subtype /Line /F 4 /Rect [0 0 200 200] /L [20 40 180 40] /LE [/None /ClosedArrow] /C [1 0 0] /IC [1 0 0] /BS << /W 4 >> >>';
    const { pictures } = await prepare(
      form(field, own('A 25,000'), [font, map, arrow, glyph], '[5 0 R 10 0 R]'),
    );
    expect(pictures).toEqual([{ page: 1, why: 'missing' }]);
  });

  it('is not kept with another number', async () => {
    await expect(prepare(form(field, own('A 10,000'), [font, map, 'null', glyph]))).rejects.toMatchObject(
      LETTERS,
    );
  });
});

describe('the words of comments', () => {
  it.each([
    ['free text', (words: string) => `/Subtype /FreeText /DA (/Helv 12 Tf 0 g) /Contents ${words}`],
    ['formatted text', (words: string) => `/Subtype /FreeText /DA (/Helv 12 Tf 0 g) /RC ${words}`],
    [
      'the caption of a line',
      (words: string) =>
        `/Subtype /Line /L [20 115 180 115] /C [1 0 0] /BS << /W 2 >> /Cap true /Contents ${words}`,
    ],
  ])('%s is refused with letters that viewers lack', async (_, annot) => {
    for (const words of ['परिशिष्ट', 'Załącznik', '₹ 500'])
      await expect(prepare(comment(annot(utf16(words))))).rejects.toMatchObject(LETTERS);
  });

  it('free text in other letters is sealed', async () => {
    const { texts } = await prepare(
      comment('/Subtype /FreeText /DA (/Helv 12 Tf 0 g) /Contents (Annex caf\\351)'),
    );
    expect(String(texts)).toContain('Annex café');
  });

  it('a caption is sealed as the viewer that can show it does', async () => {
    const { texts, pictures } = await prepare(
      comment('/Subtype /Line /L [20 115 180 115] /C [1 0 0] /BS << /W 2 >> /Cap true /Contents (About two)'),
    );
    expect(pictures.length === 1 || String(texts).includes('About two')).toBe(true);
  });

  it('a note or a stamp with a drawing is not refused for the text of its pop-up', async () => {
    for (const subtype of [
      'Text',
      'Stamp',
      'Square',
      'Highlight /QuadPoints [20 130 180 130 20 100 180 100]',
    ]) {
      const made = await prepare(comment(`/Subtype /${subtype} /C [1 0 0] /Contents ${utf16('टिप्पणी')}`));
      expect(made.pages).toBe(1);
    }
  });
});
