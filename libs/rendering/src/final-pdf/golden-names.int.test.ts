/**
 * Compares names in our PDF, painted by pdftoppm, with golden pictures from another engine (Pango with
 * HarfBuzz, same font file). Letters that are not shaped, or come from another font, do not match.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { createBrowserPool, type BrowserPool } from '../processes/browser-pool.ts';
import { writeFontFolder } from '../fonts/font-folder.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { html } from '../templates/html.ts';
import { sheet } from '../templates/sheet.ts';
import { CHROMIUM } from '@karaar/testing/programs';
import { paint } from '@karaar/testing/pdf-judges';

jest.setTimeout(120_000);

/** A name per script, with conjuncts, vowel signs before and around their letter, and marks below. */
const NAMES = {
  devanagari: 'विक्रम क्षत्रिय',
  bengali: 'বিক্রম চৌধুরী',
  gurmukhi: 'ਵਿਕਰਮ ਸਿੰਘ',
  gujarati: 'વિક્રમ શાહ',
  oriya: 'ବିକ୍ରମ ଦାସ',
  tamil: 'விக்ரம் கௌதம்',
  telugu: 'విక్రమ్ రెడ్డి',
  kannada: 'ವಿಕ್ರಮ್ ಗೌಡ',
  malayalam: 'വിക്രം നായർ',
} as const;

let workDir: string;
let fonts: string;
let pool: BrowserPool;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-golden-'));
  fonts = (await writeFontFolder(workDir)).dir;
  pool = createBrowserPool({ chromiumPath: CHROMIUM, workDir, limits: DEFAULT_LIMITS });
});
afterAll(async () => {
  await pool.close();
  await rm(workDir, { recursive: true });
});

/** A virama between two letters, in the scripts that join both. */
const CONJUNCT = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0ccd\u0d4d]\p{L}/u;
const [WIDTH, HEIGHT] = [600, 120];
const DPI = 192;
/** The inked area of a picture, cropped and scaled to one size; 1 where there is ink. */
async function ink(picture: Sharp): Promise<{ dark: Uint8Array; shape: number }> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .greyscale()
    .trim({ background: '#fff', threshold: 60 })
    .png()
    .toBuffer({ resolveWithObject: true });
  const grey = await sharp(data).greyscale().resize(WIDTH, HEIGHT, { fit: 'fill' }).raw().toBuffer();
  return { dark: Uint8Array.from(grey, (value) => Number(value < 128)), shape: info.width / info.height };
}

async function ours(name: string) {
  const page = sheet({
    title: 'x',
    code: 'x',
    parts: [
      {
        part: 'x',
        style:
          'header.top,footer{display:none} b{font-size:48pt;font-weight:400;white-space:nowrap;color:#000}',
        body: html`<b>${name}</b>`,
      },
    ],
  });
  const picture = await paint(await pool.print(page, { signal: new AbortController().signal }), 1, DPI);
  const raw = sharp(picture.pixels, { raw: { width: picture.width, height: picture.height, channels: 3 } });
  // The paper is tinted; the name is in the upper part.
  return ink(
    sharp(
      await raw
        .extract({ left: 0, top: 0, width: picture.width, height: 520 })
        .linear(1.2, 0)
        .png()
        .toBuffer(),
    ),
  );
}

async function golden(name: string, script: string) {
  const file = (await readdir(fonts)).find((each) => each.includes(script) && /400|regular/i.test(each));
  if (!file) throw new Error(`there is no font for ${script}: ${(await readdir(fonts)).join(', ')}`);
  const family = `Noto Sans ${script[0]?.toUpperCase()}${script.slice(1)}`;
  const text = { text: name, fontfile: join(fonts, file), font: `${family} 48`, dpi: DPI };
  return ink(sharp({ text }).negate());
}

const overlap = (a: Uint8Array, b: Uint8Array): number => {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.length; i += 1) {
    both += (a[i] ?? 0) & (b[i] ?? 0);
    either += (a[i] ?? 0) | (b[i] ?? 0);
  }
  return both / either;
};

describe('names in the final PDF', () => {
  it.each(Object.entries(NAMES))('%s is drawn as another engine draws it', async (script, name) => {
    // The result of a program that does not shape: letters that do not join or, without conjuncts, are in
    // another order.
    const apart = CONJUNCT.test(name) ? [...name].join('\u200c') : [...name].reverse().join('');
    const [drawn, wanted, unshaped] = await Promise.all([
      ours(name),
      golden(name, script),
      golden(apart, script),
    ]);
    expect(overlap(drawn.dark, wanted.dark)).toBeGreaterThan(0.7);
    expect(Math.abs(drawn.shape / wanted.shape - 1)).toBeLessThan(0.05);
    expect(overlap(drawn.dark, unshaped.dark)).toBeLessThan(0.6);
  });
});
