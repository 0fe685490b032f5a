/** Word files as LibreOffice converts them: Indian letters, symbols, and fields. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { docx } from '@karaar/testing/made-up/files';
import { difference, paint, textOf, tool } from '@karaar/testing/pdf-judges';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { standInFonts } from '../fonts/made-fonts.ts';
import { createRenderer, type PreparedUpload, type Renderer } from '../final-pdf/compose.ts';

jest.setTimeout(300_000);

const run = promisify(execFile);
let dir: string;
let renderer: Renderer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-word-'));
  renderer = createRenderer({
    chromiumPath: CHROMIUM,
    sofficePath: SOFFICE,
    workDir: join(dir, 'work'),
    // As in the product: the next LibreOffice starts while pages are compared.
    officeSpare: true,
  });
  await writeDocs();
});
afterAll(async () => {
  await renderer.close();
  await rm(dir, { recursive: true });
});

const prepare = (bytes: Uint8Array, kind: 'doc' | 'docx' = 'docx'): Promise<PreparedUpload> =>
  renderer.prepareUpload({ name: `Lease.${kind}`, kind, bytes });

const docs = new Map<string, Uint8Array>();
/** A DOC as LibreOffice writes it from a DOCX, before the first test. */
function asDoc(bytes: Uint8Array, name: string): () => Promise<Buffer> {
  docs.set(name, bytes);
  return () => readFile(join(dir, `${name}.doc`));
}
/** All at one start of LibreOffice. */
async function writeDocs(): Promise<void> {
  const paths = [...docs.keys()].map((name) => join(dir, `${name}.docx`));
  await Promise.all([...docs.values()].map((bytes, i) => writeFile(paths[i] ?? '', bytes)));
  const profile = `-env:UserInstallation=${pathToFileURL(join(dir, 'profile')).href}`;
  await run(SOFFICE, [profile, '--headless', '--convert-to', 'doc:MS Word 97', '--outdir', dir, ...paths]);
}

const rtf = (body: string, fonts = ''): Buffer =>
  Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}${fonts}}${body}\\par}`, 'latin1');
const run1 = (inner: string, look = ''): string =>
  `</w:t></w:r><w:r><w:rPr>${look}</w:rPr>${inner}</w:r><w:r><w:t>`;
const inFont = (font: string, text: string): string =>
  run1(
    `<w:t>${text}</w:t>`,
    `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}"/><w:sz w:val="72"/>`,
  );

const onPages = (runs: readonly string[]): Uint8Array =>
  docx(runs.map((inner, i) => (i === 0 ? inner : `</w:t><w:br w:type="page"/><w:t>${inner}`)));

/** One word in each of the 22 scheduled languages (Constitution, eighth schedule), in each of its scripts. */
const WORDS: Record<string, string> = {
  Assamese: 'অসমীয়া চুক্তি',
  Bengali: 'বাংলা চুক্তি',
  Bodo: 'बर’ राव',
  Dogri: 'डोगरी करार',
  Gujarati: 'ગુજરાતી કરાર',
  Hindi: 'हिन्दी करार',
  Kannada: 'ಕನ್ನಡ ಒಪ್ಪಂದ',
  'Kashmiri (Arabic)': 'کٲشُر مُٲہِدٕ ؠ ۆ ێ',
  'Kashmiri (Devanagari)': 'कॉशुर',
  Konkani: 'कोंकणी करार',
  Maithili: 'मैथिली करार',
  Malayalam: 'മലയാളം കരാർ',
  'Manipuri (Meetei Mayek)': 'ꯃꯤꯇꯩꯂꯣꯟ ꯱꯲꯳ ꯫ ꫲ',
  'Manipuri (Bengali)': 'মৈতৈলোন্',
  Marathi: 'मराठी करार ऱ्य',
  Nepali: 'नेपाली सम्झौता',
  Odia: 'ଓଡ଼ିଆ ଚୁକ୍ତି',
  Punjabi: 'ਪੰਜਾਬੀ ਇਕਰਾਰ',
  Sanskrit: 'संस्कृतम् ॐ ऽ',
  'Santali (Ol Chiki)': 'ᱥᱟᱱᱛᱟᱲᱤ ᱑᱒᱓ ᱾ ᱿',
  'Sindhi (Arabic)': 'سنڌي ڄ ڃ ڦ ٺ ٽ ڀ ڪ ڳ ڱ ڻ ۽ ۾',
  'Sindhi (Devanagari)': 'सिन्धी ॻ ॼ ॾ ॿ',
  Tamil: 'தமிழ் ஒப்பந்தம்',
  Telugu: 'తెలుగు ఒప్పందం',
  Urdu: 'اردو معاہدہ ٹ ڈ ڑ ں ے ۓ',
};

describe('letters', () => {
  it('of all 22 scheduled languages are printed', async () => {
    const { pdf } = await prepare(docx(Object.values(WORDS)));
    const fonts = await tool('pdffonts', (path) => [path], pdf);
    for (const script of ['OlChiki', 'MeeteiMayek', 'Arabic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Oriya'])
      expect(fonts).toContain(`NotoSans${script}`);
  });

  it('are printed if the file uses fonts that the servers lack', async () => {
    const fonts = ['Nirmala UI', 'Latha', 'Calibri', 'Jameel Noori Nastaleeq'];
    const words = fonts.flatMap((font) => Object.values(WORDS).map((word) => inFont(font, word)));
    expect((await prepare(docx(words))).pages).toBeGreaterThan(0);
  });

  it('emoji and signs are printed, each as a different picture', async () => {
    const signs = ['✅', '❌', '😀', '👍', '☑', '☐', '✔', '✘', '₹', '→', '①', '🏠'];
    const { pdf, pages } = await prepare(onPages(signs.map((sign) => inFont('Segoe UI Emoji', sign))));
    expect(pages).toBe(signs.length);
    const drawn = await Promise.all(signs.map((_, i) => paint(pdf, i + 1, 40)));
    for (const [i, one] of drawn.entries())
      for (const other of drawn.slice(i + 1)) expect(one.pixels.equals(other.pixels)).toBe(false);
  });

  it.each([
    ['a letter that no font here holds', '汉', 'U+6C49'],
    ['a letter of private use', '\ue5c1', 'U+E5C1'],
    ['a letter of a script that is dead', '\u{10a80}\u{16a40}\u{11ee0}', 'U+'],
  ])('%s is reported, and not printed as an empty box', async (_, letter, code) => {
    const refusal = { code: 'pdf_fonts', file: 'Lease.docx', message: expect.stringContaining(code) };
    await expect(prepare(docx([`The rent is ${letter} a month`]))).rejects.toMatchObject(refusal);
  });

  const letter = asDoc(docx(['The rent is 汉 a month']), 'letter');
  it('a letter that no font here holds is named in RTF and in a DOC too', async () => {
    const refusal = { code: 'pdf_fonts', message: expect.stringContaining('U+6C49') };
    await expect(prepare(rtf('The rent is \\u27721? a month'), 'doc')).rejects.toMatchObject(refusal);
    await expect(prepare(await letter(), 'doc')).rejects.toMatchObject(refusal);
  });
});

describe('boxes and ticks at the codes of letters', () => {
  const symbol = (font: string, code: string): string =>
    run1(`<w:sym w:font="${font}" w:char="F0${code}"/>`, '<w:sz w:val="72"/>');
  const typed = (font: string, code: string): string => inFont(font, `&#x${code};`);
  const PAIRS: [string, string, string][] = [
    ['Wingdings', 'FE', 'A8'],
    ['Wingdings', 'FD', 'A8'],
    ['Wingdings', 'FE', 'FD'],
    ['Wingdings', 'FC', 'FB'],
    ['Wingdings', '6F', 'FE'],
    ['Wingdings 2', '52', 'A3'],
    ['Wingdings 2', '54', '52'],
    ['Wingdings 2', '50', '4F'],
    ['Webdings', '61', '63'],
    ['Wingdings 3', '5B', '5D'],
  ];
  it.each([
    ['as symbols', symbol],
    ['as letters', typed],
  ])('are distinct, written %s', async (_, write) => {
    const runs = PAIRS.flatMap(([font, one, other]) => [write(font, one), write(font, other)]);
    const { pdf } = await prepare(onPages(runs));
    const fonts = await tool('pdffonts', (path) => [path], pdf);
    for (const [i, [font]] of PAIRS.entries()) {
      expect(fonts).toContain(font.replace(' ', ''));
      const [one, other] = [await paint(pdf, 2 * i + 1, 40), await paint(pdf, 2 * i + 2, 40)];
      expect(one.pixels.equals(other.pixels)).toBe(false);
    }
  });

  const boxes = ['fe', 'a8'].map((code) => ({
    code,
    doc: asDoc(docx([symbol('Wingdings', code.toUpperCase())]), `box-${code}`),
  }));
  it('are told apart in RTF and in a DOC too', async () => {
    const fonts = '{\\f1\\fnil\\fcharset2 Wingdings;}';
    const files = await Promise.all(
      boxes.map(async ({ code, doc }) => [
        await prepare(rtf(`{\\f1\\fs72 \\'${code}}`, fonts), 'doc'),
        await prepare(await doc(), 'doc'),
      ]),
    );
    const [ticked = [], empty = []] = files;
    for (const [i, { pdf }] of ticked.entries()) {
      expect(await tool('pdffonts', (path) => [path], pdf)).toContain('Wingdings');
      expect(difference(await paint(pdf, 1), await paint(empty[i]?.pdf ?? pdf, 1))).toBeGreaterThan(0);
    }
  });

  it('work as the bullets of a list', async () => {
    const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const list = (code: string): Uint8Array =>
      docx(
        [
          '</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Paid',
        ],
        {
          'word/numbering.xml': `<?xml version="1.0"?><w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0${code};"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr><w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings" w:hint="default"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
          'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>`,
        },
      );
    const [ticked, empty] = [await prepare(list('FE')), await prepare(list('A8'))];
    expect(difference(await paint(ticked.pdf, 1), await paint(empty.pdf, 1))).toBeGreaterThan(0);
  });

  it('are printed from the font Symbol', async () => {
    const { pages } = await prepare(docx(['B7', '61', 'D6', 'AE'].map((code) => symbol('Symbol', code))));
    expect(pages).toBe(1);
  });
});

describe('a font from before Unicode, which the servers lack', () => {
  const KRUTI = 'Kruti Dev 010';
  const refusal = {
    code: 'pdf_fonts',
    message: expect.stringMatching(/in a font of the kind (Kruti|DevLys|Shree|symbols)/),
  };
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const relations = (...parts: [string, string][]): string =>
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts
      .map(
        ([type, target], i) =>
          `<Relationship Id="rId${i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`;
  const styled = (styles: string, more: Record<string, string> = {}): Uint8Array =>
    docx(['</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:t>fdjk;k'], {
      'word/styles.xml': `<?xml version="1.0"?><w:styles ${W}>${styles}</w:styles>`,
      'word/_rels/document.xml.rels': relations(['styles', 'styles.xml'], ['theme', 'theme/theme1.xml']),
      ...more,
    });
  const fonts = `<w:rPr><w:rFonts w:ascii="${KRUTI}" w:hAnsi="${KRUTI}"/></w:rPr>`;

  it.each<[string, () => Promise<Buffer> | Uint8Array, 'doc' | 'docx']>([
    ['in a DOCX', () => docx([inFont(KRUTI, 'fdjk;k')]), 'docx'],
    [
      'by the defaults',
      () => styled(`<w:docDefaults><w:rPrDefault>${fonts}</w:rPrDefault></w:docDefaults>`),
      'docx',
    ],
    [
      'by a style without a name',
      () => styled(`<w:style w:type="paragraph" w:styleId="Body">${fonts}</w:style>`),
      'docx',
    ],
    [
      'by what a style is based on',
      () =>
        styled(
          `<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/>${fonts}</w:style><w:style w:type="paragraph" w:styleId="Body"><w:name w:val="Body"/><w:basedOn w:val="Base"/></w:style>`,
        ),
      'docx',
    ],
    [
      'by the theme',
      () =>
        styled(
          '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi"/></w:rPr></w:rPrDefault></w:docDefaults>',
          {
            'word/theme/theme1.xml': `<?xml version="1.0"?><a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="t"><a:themeElements><a:fontScheme name="f"><a:majorFont><a:latin typeface="${KRUTI}"/></a:majorFont><a:minorFont><a:latin typeface="${KRUTI}"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`,
          },
        ),
      'docx',
    ],
    ['in RTF', () => rtf('\\f1 fdjk;k', `{\\f1\\fnil\\fcharset0 ${KRUTI};}`), 'doc'],
    ['in RTF, as symbols', () => rtf('\\f1 fdjk;k', '{\\f1\\fnil\\fcharset2 Shusha02;}'), 'doc'],
    ['in a DOC', asDoc(docx([inFont(KRUTI, 'fdjk;k vuqca/k')]), 'doc-kruti'), 'doc'],
    ['in a DOC, another one', asDoc(docx([inFont('Shree-Dev-0714', 'fdjk;k')]), 'doc-shree'), 'doc'],
  ])('is found %s', async (_, made, kind) => {
    await expect(prepare(await made(), kind)).rejects.toMatchObject(refusal);
  });

  it('does not refuse blanks, Unicode letters, or text in another font', async () => {
    const { pdf } = await prepare(
      docx([inFont(KRUTI, ' '), inFont(KRUTI, 'किराया'), inFont('Arial', 'Plain words')]),
    );
    expect(await textOf(pdf)).toContain('Plain words');
    const list = `{\\f1\\fnil\\fcharset0 ${KRUTI};}`;
    expect(await textOf((await prepare(rtf('Plain words', list), 'doc')).pdf)).toContain('Plain words');
  });

  it('does not refuse a file that embeds it', async () => {
    const [standIn] = standInFonts();
    if (!standIn) throw new Error('there is no font to change');
    const name = 'Kruti Dev 010 Embedded';
    const inTable = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
    expect(name).toHaveLength(standIn.family.length);
    const font = Buffer.from(standIn.file);
    for (let at = font.indexOf(inTable(standIn.family)); at >= 0; at = font.indexOf(inTable(standIn.family)))
      inTable(name).copy(font, at);
    // Its first bytes are obfuscated by its key (ECMA-376 Part 4 §10.1.1).
    const key = Buffer.from('1DE3B1E30F2B4B5C9F7A112233445566', 'hex').reverse();
    for (let i = 0; i < 32; i += 1) font[i] = (font[i] ?? 0) ^ (key[i % 16] ?? 0);
    const parts = unzipSync(
      docx([inFont(name, 'fdjk;k')], {
        'word/_rels/document.xml.rels': relations(['fontTable', 'fontTable.xml']),
        'word/fontTable.xml': `<?xml version="1.0"?><w:fonts ${W} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:font w:name="${name}"><w:embedRegular r:id="rId0" w:fontKey="{1DE3B1E3-0F2B-4B5C-9F7A-112233445566}"/></w:font></w:fonts>`,
        'word/_rels/fontTable.xml.rels': relations(['font', 'fonts/font1.odttf']),
      }),
    );
    const bytes = zipSync({ ...parts, 'word/fonts/font1.odttf': font });
    expect(await tool('pdffonts', (path) => [path], (await prepare(bytes)).pdf)).toContain('Embedded');
  });
});

describe('fields print the results that their author saw', () => {
  const field = (instruction: string, result: string): string =>
    [
      '<w:fldChar w:fldCharType="begin"/>',
      `<w:instrText xml:space="preserve"> ${instruction} </w:instrText>`,
      '<w:fldChar w:fldCharType="separate"/>',
      `<w:t>${result}</w:t>`,
      '<w:fldChar w:fldCharType="end"/>',
    ]
      .map((inner) => run1(inner))
      .join('');
  const CORE = {
    'docProps/core.xml':
      '<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Other</dc:title><dc:creator>Other</dc:creator><cp:lastModifiedBy>Other</cp:lastModifiedBy></cp:coreProperties>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
  };
  const FIELDS = [
    'AUTHOR',
    'USERNAME',
    'USERINITIALS',
    'USERADDRESS',
    'LASTSAVEDBY',
    'TITLE',
    'DOCPROPERTY Company',
    'FILESIZE',
    'DATE \\@ "yyyy"',
    'TIME \\@ "yyyy"',
    'CREATEDATE \\@ "yyyy"',
    'SAVEDATE \\@ "yyyy"',
    'PRINTDATE \\@ "yyyy"',
    'EDITTIME',
    'REVNUM',
    'NUMWORDS',
    'TEMPLATE \\p',
    'MERGEFIELD Name',
    'IF 1 = 2 "yes" "no"',
    '= 2 + 2',
  ];
  const seenOf = (i: number): string => `seen${String.fromCharCode(97 + i)}seen`;

  it('in a DOCX', async () => {
    const texts = FIELDS.map((instruction, i) => field(instruction.replaceAll('"', '&quot;'), seenOf(i)));
    const { pdf } = await prepare(docx(texts, CORE));
    const words = (await textOf(pdf)).split(/\s+/).filter((word) => word !== '');
    expect(words).toEqual(FIELDS.map((_, i) => seenOf(i)));
  });

  it('in RTF', async () => {
    const texts = FIELDS.map(
      (instruction, i) =>
        `{\\field{\\*\\fldinst ${instruction.replaceAll('\\', '\\\\')} }{\\fldrslt ${seenOf(i)}}}\\par `,
    );
    const { pdf } = await prepare(rtf(`{\\info{\\author Other}{\\title Other}}${texts.join('')}`), 'doc');
    const words = (await textOf(pdf)).split(/\s+/).filter((word) => word !== '');
    expect(words).toEqual(FIELDS.map((_, i) => seenOf(i)));
  });

  const withFields = asDoc(
    docx([`Year ${field('DATE \\@ &quot;yyyy&quot;', '1999')} by ${field('AUTHOR', 'Other')} end`], CORE),
    'doc-fields',
  );
  it('in a DOC', async () => {
    const doc = await withFields();
    /** Puts another result of the same length into the file, as if it had been saved then. */
    const change = (from: string, to: string): boolean =>
      (['latin1', 'utf16le'] as const).some((encoding) => {
        const at = doc.indexOf(Buffer.from(`\x14${from}`, encoding));
        if (at >= 0) Buffer.from(`\x14${to}`, encoding).copy(doc, at);
        return at >= 0;
      });
    expect(change(String(new Date().getFullYear()), '1999')).toBe(true);
    expect(change('Other', 'Wrote')).toBe(true);
    const { pdf } = await prepare(doc, 'doc');
    expect(await textOf(pdf)).toMatch(/Year\s*1999\s*by\s*Wrote\s*end/);
  });

  it('the page number is that of these pages', async () => {
    const body = `Page ${field('PAGE', '77')} of ${field('NUMPAGES', '99')}`;
    expect(await textOf((await prepare(docx([body]))).pdf)).toMatch(/Page\s*1\s*of\s*1/);
  });
});

describe('nothing outside a file is read', () => {
  let picture: string;
  let secret: string;
  beforeAll(async () => {
    picture = join(dir, 'outside.png');
    secret = join(dir, 'outside.txt');
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#ff0000' } })
      .png()
      .toFile(picture);
    await writeFile(secret, 'Secret words');
  });
  const W = 'http://schemas.openxmlformats.org';
  const linked = (): Uint8Array =>
    docx([], {
      'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${W}/package/2006/relationships"><Relationship Id="rImg" Type="${W}/officeDocument/2006/relationships/image" Target="${pathToFileURL(picture).href}" TargetMode="External"/><Relationship Id="rSub" Type="${W}/officeDocument/2006/relationships/subDocument" Target="${pathToFileURL(secret).href}" TargetMode="External"/></Relationships>`,
      'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${W}/wordprocessingml/2006/main" xmlns:r="${W}/officeDocument/2006/relationships" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wp="${W}/drawingml/2006/wordprocessingDrawing" xmlns:a="${W}/drawingml/2006/main" xmlns:pic="${W}/drawingml/2006/picture"><w:body>
<w:p><w:r><w:t>Before</w:t></w:r></w:p><w:subDoc r:id="rSub"/>
<w:p><w:r><w:pict><v:shape style="width:200pt;height:200pt"><v:imagedata r:id="rImg" src="${pathToFileURL(picture).href}"/></v:shape></w:pict></w:r></w:p>
<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1900000" cy="1900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${W}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rImg"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="1900000" cy="1900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
    });
  const red = async (pdf: Uint8Array): Promise<number> => {
    const { pixels } = await paint(pdf, 1, 50);
    let count = 0;
    for (let at = 0; at < pixels.length; at += 3)
      if ((pixels[at] ?? 0) > 200 && (pixels[at + 1] ?? 0) < 60 && (pixels[at + 2] ?? 0) < 60) count += 1;
    return count;
  };

  it('of a DOCX', async () => {
    const { pdf } = await prepare(linked());
    expect(await textOf(pdf)).toContain('Before');
    expect(await textOf(pdf)).not.toContain('Secret');
    expect(await red(pdf)).toBe(0);
  });

  it('of RTF', async () => {
    const url = pathToFileURL(picture).href;
    const fields = [
      `INCLUDEPICTURE "${url}" \\\\d`,
      `INCLUDETEXT "${pathToFileURL(secret).href}"`,
      `LINK Word.Document.8 "${secret}"`,
      `IMPORT "${url}"`,
    ]
      .map((instruction) => `{\\field{\\*\\fldinst ${instruction}}{\\fldrslt }}\\par `)
      .join('');
    const { pdf } = await prepare(rtf(`Before\\par ${fields}`), 'doc');
    expect(await textOf(pdf)).toContain('Before');
    expect(await textOf(pdf)).not.toContain('Secret');
    expect(await red(pdf)).toBe(0);
  });
});
