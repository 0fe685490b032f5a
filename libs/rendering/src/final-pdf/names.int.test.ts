import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { createRenderer, type Renderer } from './compose.ts';
import { fontFaces } from '../fonts/fonts.ts';
import { cssString, html, legible, raw } from '../templates/html.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { agreement, party, rawFile } from '../testing/samples.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { paint, textOf, tool } from '@karaar/testing/pdf-judges';
import { sheet } from '../templates/sheet.ts';
import { createBrowserPool } from '../processes/browser-pool.ts';
import { DEFAULT_LIMITS } from '../limits.ts';

jest.setTimeout(180_000);

let workDir: string;
let renderer: Renderer;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-names-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
});

afterAll(async () => {
  await renderer.close();
  await rm(workDir, { recursive: true });
});

/** A name in each Indian script for which a font is bundled. */
const NAMES = {
  Devanagari: 'विक्रम क्षत्रिय',
  Bengali: 'বিক্রম চৌধুরী',
  Gurmukhi: 'ਵਿਕਰਮ ਸਿੰਘ',
  Gujarati: 'વિક્રમ શાહ',
  Oriya: 'ବିକ୍ରମ ଦାସ',
  Tamil: 'விக்ரம் கௌதம்',
  Telugu: 'విక్రమ్ రెడ్డి',
  Kannada: 'ವಿಕ್ರಮ್ ಗೌಡ',
  Malayalam: 'വിക്രം നായർ',
  Arabic: 'وکرم شاہ',
  OlChiki: 'ᱵᱤᱠᱨᱟᱢ ᱢᱩᱨᱢᱩ',
  MeeteiMayek: 'ꯕꯤꯛꯔꯝ ꯁꯤꯡ',
};

const HOSTILE = [
  `<script>document.body.textContent='owned'</script>`,
  `</style><style>body{display:none}`,
  `</title></head><body><iframe src="file:///etc/passwd">`,
  `"><img src="http://169.254.169.254/latest/meta-data/" onerror="alert(1)">`,
  `' onmouseover='x' --><!-- <![CDATA[`,
  `{{7*7}} \${process.env} &lt;b&gt; &#60;b&#62; \\u003cb`,
];

describe('names are drawn as they are written', () => {
  it('in the scripts of all 22 scheduled languages, with Noto fonts, and are found as text, together with ₹', async () => {
    const input = await agreement();
    const parties = await Promise.all(
      Object.values(NAMES).map((name, i) => party(name, `AB12CD${10 + i}`, i === 0 ? 'primary' : 'party')),
    );
    const { pdf } = await renderer.composeFinalPdf({
      ...input,
      parties,
      document: { ...input.document, name: `${NAMES.Devanagari} का मकान ₹1,00,000` },
    });
    const fonts = await tool('pdffonts', (file) => [file], pdf);
    for (const script of Object.keys(NAMES)) expect(fonts).toContain(`NotoSans${script}`);
    // pdftotext puts spaces at the ends of clusters and marks where the direction changes.
    const text = (await textOf(pdf)).normalize('NFC').replace(/[\s\u200e\u200f\u202a-\u202e]/g, '');
    for (const name of Object.values(NAMES)) expect(text).toContain(name.normalize('NFC').replace(/\s/g, ''));
    expect(text).toContain('₹');
    // Every font that draws a letter is embedded, so the PDF does not depend on the reader's machine.
    const own = fonts.split('\n').filter((line) => line.includes('NotoSans'));
    expect(own.every((line) => / yes (yes|no) +yes /.test(line))).toBe(true);
  });

  it('hostile names are plain text', async () => {
    const input = await agreement();
    const hostile = HOSTILE.join(' ');
    const { pdf, pages } = await renderer.composeFinalPdf({
      ...input,
      document: {
        ...input.document,
        name: hostile,
        location: hostile,
        description: hostile,
        pageDetails: [{ pageNo: 1, description: hostile }],
      },
      parties: [
        await party(HOSTILE[0] ?? '', 'AB12CD34', 'primary'),
        await party(hostile, 'ZX98YV76', 'party'),
      ],
      files: [rawFile('<b>x</b>.pdf', await textPdf('one'))],
      auditTrail: [{ at: input.composedAt, actor: hostile, action: 'approved', detail: hostile }],
      seal: { ...input.seal, note: hostile },
    });
    const text = (await textOf(pdf)).replace(/\s+/g, '');
    for (const name of HOSTILE) expect(text).toContain(name.replace(/\s+/g, ''));
    expect(text).toContain('<b>x</b>.pdf');
    expect(text).not.toContain('owned<');
    expect(text).not.toContain('root:x:0');
    expect(pages.total).toBeLessThan(12);
  });

  it('invisible characters, direction overrides and letters without a font are spelled out', () => {
    expect(legible('Asha\u202Eoar')).toBe('Asha[U+202E]oar');
    expect(legible('a\u200bb\ufeffc\u0000d\u2066e')).toBe('a[U+200B]b[U+FEFF]c[U+0000]d[U+2066]e');
    expect(legible('house 😀 中')).toBe('house [U+1F600] [U+4E2D]');
    expect(legible('क्‍ष ക്‌ഷ')).toBe('क्‍ष ക്‌ഷ'); // joiners shape Indian letters, so they are kept
    expect(legible('a\r\nb\tc')).toBe('a\nb    c');
    for (const name of Object.values(NAMES)) expect(legible(name)).toBe(name.normalize('NFC'));
  });

  it('escaping prevents injected markup and styles', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const inside = html`<b title="${name}">${name}</b>`.markup.slice(3, -4);
        expect(inside.replace(/^title="[^"<>]*">/, '')).not.toMatch(/[<>"']/);
        expect(cssString(name).slice(1, -1)).not.toMatch(/["\n\r;{}<]/);
      }),
    );
  });
});

describe('fonts', () => {
  it('a page carries only the scripts that it uses; ₹ and danda do not add the others', () => {
    const families = (text: string): number => fontFaces(text).split('@font-face').length - 1;
    const latin = families('Asha Rao');
    expect(latin).toBeLessThanOrEqual(4);
    expect(families('Asha Rao pays ₹100')).toBeLessThanOrEqual(latin + 2);
    expect(families('विक्रम शाह ₹100।')).toBe(latin + 2);
    expect(families('విక్రమ్ ₹100।')).toBeLessThanOrEqual(latin + 6);
  });

  it('letters are shaped: a conjunct is narrower than the same letters kept apart', async () => {
    const pool = createBrowserPool({ chromiumPath: CHROMIUM, workDir, limits: DEFAULT_LIMITS });
    const width = async (text: string): Promise<number> => {
      const page = sheet({
        title: 'x',
        code: 'x',
        parts: [
          {
            part: 'x',
            style: 'header.top{display:none} b{font-size:40pt;font-weight:400;white-space:nowrap}',
            body: html`<b>${text}</b>`,
          },
        ],
      });
      const picture = await paint(await pool.print(page, { signal: new AbortController().signal }), 1, 72);
      let last = 0;
      for (let y = 40; y < 160; y += 1)
        for (let x = 0; x < picture.width; x += 1)
          if ((picture.pixels[(y * picture.width + x) * 3] ?? 255) < 120) last = Math.max(last, x);
      return last;
    };
    const joined = await width('क्ष'.repeat(5));
    const apart = await width('क्\u200cष'.repeat(5)); // ZWNJ keeps the halant visible
    await pool.close();
    expect(joined).toBeGreaterThan(60);
    expect(apart / joined).toBeGreaterThan(1.2);
  });

  it('markup from our templates is not escaped', () => {
    expect(html`<i>${raw('<b>')}${['a', html`<u></u>`]}${null}${false}${0}</i>`.markup).toBe(
      '<i><b>a<u></u>0</i>',
    );
  });
});
