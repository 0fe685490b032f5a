import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import jsQR from 'jsqr';
import { estimatePages } from './final-pdf/estimate.ts';
import { type ComposedPdf, createRenderer, type FinalPdfInput, type Renderer } from './final-pdf/compose.ts';
import { LAW } from '@karaar/contracts/cms/law';
import { textPdf } from '@karaar/testing/made-up/files';
import { agreement, party, photo, rawFile, sha256, signature } from './testing/samples.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { paint, type Picture, textOf } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

let workDir: string;
let renderer: Renderer;
let input: FinalPdfInput;
let composed: ComposedPdf;

const TONES = ['#c98f6b', '#7a4a35'];
const INKS = ['#0a2a8b', '#0b6b2a'];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-pages-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  const parties = await Promise.all(
    ['Asha Rao', 'Vikram Shah'].map(async (name, i) => ({
      ...(await party(name, `AB12CD3${i}`, i === 0 ? 'primary' : 'party')),
      photo: await photo(TONES[i]),
      signature: await signature(INKS[i]),
    })),
  );
  input = await agreement({
    parties,
    files: [rawFile('lease.pdf', await textPdf('One')), rawFile('rules.pdf', await textPdf('Two'))],
  });
  composed = await renderer.composeFinalPdf(input);
});

afterAll(async () => {
  await renderer.close();
  await rm(workDir, { recursive: true });
});

/** Counts the pixels near this colour in a horizontal band of the picture. */
function count(picture: Picture, hex: string, near: number, from = 0, to = 1): number {
  const wanted = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
  let found = 0;
  for (let y = Math.floor(from * picture.height); y < to * picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const at = (y * picture.width + x) * 3;
      if (wanted.every((value, i) => Math.abs((picture.pixels[at + i] ?? 0) - value) <= near)) found += 1;
    }
  }
  return found;
}

describe('the signature page', () => {
  const first = (): number =>
    composed.pages.total - composed.pages.certificate - composed.pages.signatures + 1;

  it("[FINAL-021] shows each party's photo and drawn signature with the name, ID and time of approval", async () => {
    const picture = await paint(composed.pdf, first(), 100);
    const text = await textOf(composed.pdf, first());
    for (const [i, person] of input.parties.entries()) {
      expect(text).toContain(person.name);
      expect(text).toContain(`${person.charId.slice(0, 4)} ${person.charId.slice(4)}`);
      expect(count(picture, TONES[i] ?? '', 12)).toBeGreaterThan(2000); // the face
      expect(count(picture, INKS[i] ?? '', 24)).toBeGreaterThan(150); // the pen stroke
    }
    expect(text).toContain('21 Nov 2026, 08:34:05 IST');
  });

  it('[FINAL-021] continues on more pages for many people, and loses none of them', async () => {
    const people = await Promise.all(
      Array.from({ length: 11 }, (_, i) =>
        party(`Person Number ${i}x`, `AB12CD${10 + i}`, i === 0 ? 'primary' : 'party'),
      ),
    );
    const many = await renderer.composeFinalPdf({ ...input, parties: people });
    expect(many.pages.signatures).toBeGreaterThan(1);
    const start = many.pages.agreement + many.pages.raw + 1;
    const texts = await Promise.all(
      Array.from({ length: many.pages.signatures }, (_, i) => textOf(many.pdf, start + i)),
    );
    for (const person of people) expect(texts.join('')).toContain(person.name);
  });
});

describe('the certificate of completion', () => {
  const text = async ({ pdf, pages: { total, certificate } }: ComposedPdf = composed): Promise<string> => {
    const texts = Array.from({ length: certificate }, (_, i) => textOf(pdf, total - certificate + 1 + i));
    return (await Promise.all(texts)).join('');
  };

  it('[FINAL-022] lists the audit trail, in order, with times in India', async () => {
    const page = (await text()).replace(/\s+/g, ' ');
    expect(page).toContain('Certificate of completion');
    const created = page.indexOf('Asha Rao created the agreement · 20 Nov 2026, 14:30:00 IST');
    const approved = page.indexOf(
      'Vikram Shah verified face, eye and signature and approved · 21 Nov 2026, 08:34:05 IST',
    );
    expect(created).toBeGreaterThan(0);
    expect(approved).toBeGreaterThan(created);
  });

  it('[FINAL-022] lists the SHA-256 of every input', async () => {
    const page = await text();
    for (const file of input.files) expect(page).toContain(file.sha256);
    for (const person of input.parties) {
      expect(page).toContain(sha256(person.photo));
      expect(page).toContain(sha256(person.signature));
    }
  });

  it('[FINAL-023] has a QR code that leads to the verify page', async () => {
    const picture = await paint(composed.pdf, composed.pages.total - composed.pages.certificate + 1, 150);
    const rgba = new Uint8ClampedArray(picture.width * picture.height * 4).fill(255);
    for (let i = 0; i < picture.width * picture.height; i += 1)
      rgba.set(picture.pixels.subarray(i * 3, i * 3 + 3), i * 4);
    const code = jsQR.default(rgba, picture.width, picture.height);
    expect(code?.data).toBe(input.verifyUrl);
    expect((await text()).replace(/\s+/g, '')).toContain(input.verifyUrl);
  });

  it('[FINAL-026] states for a B-B seal that no timestamp authority attests the time', async () => {
    const page = (await text()).replace(/\s+/g, ' ');
    expect(page).toContain('PAdES B-B');
    expect(page).toContain('no timestamp authority attests it');
    expect(page).toContain('Karaar development seal');
    expect(page).toContain(input.seal.certFingerprint);
  });

  it('states for a B-T seal that a timestamp authority attests the time, with any note', async () => {
    const note = 'The first authority did not answer.';
    const stamped = await renderer.composeFinalPdf({ ...input, seal: { ...input.seal, level: 'B-T', note } });
    const page = (await text(stamped)).replace(/\s+/g, ' ');
    expect(page).toContain('attested by a timestamp authority (PAdES B-T)');
    expect(page).toContain(note);
  });

  it('states for a B-LT seal that the file itself holds the revocation data', async () => {
    const kept = await renderer.composeFinalPdf({ ...input, seal: { ...input.seal, level: 'B-LT' } });
    const page = (await text(kept)).replace(/\s+/g, ' ');
    expect(page).toContain('no certificate was revoked then (PAdES B-LT)');
  });
});

describe('the estimated pages of an ordinary agreement are right, so that it is printed once', () => {
  const people = (count: number, change: object = {}) =>
    Promise.all(
      ['Asha Rao', 'Vikram Shah', 'Meera Krishnamurthy', 'Arjun Deshpande']
        .slice(0, count)
        .map(async (name, i) => ({
          ...(await party(name, `AB12CD${10 + i}`, i === 0 ? 'primary' : 'party')),
          ...change,
        })),
    );
  const seal = {
    level: 'B-LT',
    signer: 'Karaar',
    certFingerprint: '6'.repeat(64),
    ownAuthority: true,
  } as const;
  const auditTrail = [
    'Created with 1 file; creator verified by face, eye and signature (face photo taken live, eye photo taken live)',
    'Invited Vikram Shah',
    'Accepted and approved; verified by face, eye and signature (face photo taken live, eye photo taken live)',
    'Approved the document',
    'Started finalization',
  ].map((action) => ({ at: '2026-11-21T03:04:05Z', actor: 'Asha Rao', action }));
  const noticed = { oneImageTwice: true, shared: true, sentBefore: true };
  type Change = () => Partial<FinalPdfInput> | Promise<Partial<FinalPdfInput>>;
  it.each<[string, Change]>([
    ['two people', () => ({})],
    ['four files', () => ({ files: [...input.files, ...input.files] })],
    ['four people', async () => ({ parties: await people(4) })],
    ['notices about photos', async () => ({ parties: await people(2, { noticed }) })],
    ['a certificate in Hindi', () => ({ languages: ['hi'], files: input.files.slice(1) })],
    ['a certificate in Tamil', () => ({ languages: ['ta'], files: input.files.slice(1) })],
  ])('%s', async (_name, change) => {
    const same = { law: LAW, seal, auditTrail, logOrigin: 'karaar.example/log' };
    const given: FinalPdfInput = { ...input, ...same, ...(await change()) };
    const { pages } = await renderer.composeFinalPdf(given);
    const { agreement: first, signatures, ...certificates } = estimatePages(given);
    const certificate = Object.values(certificates).reduce((sum, n) => sum + n, 0);
    expect({ agreement: first, signatures, certificate }).toEqual({
      agreement: pages.agreement,
      signatures: pages.signatures,
      certificate: pages.certificate,
    });
  });
});

describe('an agreement of 20 people with 40 lines of history', () => {
  it('has the header on every page that Karaar draws, and estimates their number well', async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        party(`Person Number ${i}x`, `AB12CD${10 + i}`, i === 0 ? 'primary' : 'party'),
      ),
    );
    const many = {
      ...input,
      parties: people,
      auditTrail: Array.from({ length: 40 }, (_, i) => ({
        at: input.composedAt,
        actor: `Person Number ${i % 20}x`,
        action:
          'Approved; verified by face, eye and signature (face photo taken live, eye photo from the device)',
      })),
    };
    const { pdf, pages } = await renderer.composeFinalPdf(many);
    expect([pages.signatures, pages.certificate]).toEqual([5, expect.any(Number)]);
    expect(pages.certificate).toBeGreaterThan(5);
    const { agreement: first, raw, total, certificate } = pages;
    for (let n = 1; n <= total; n += 1) {
      if (n > first && n <= first + raw) continue;
      const head = (await textOf(pdf, n)).split('\n', 1)[0];
      const part =
        n <= first ? 'AGREEMENT' : n <= total - certificate ? 'SIGNATURES' : 'CERTIFICATE OF COMPLETION';
      expect({ n, head: head?.replace(/\s+/g, ' ').trim() }).toEqual({ n, head: `करार Karaar ${part}` });
    }
    const guess = estimatePages(many);
    expect(guess).toMatchObject({ agreement: first, signatures: pages.signatures });
    expect(Math.abs(guess.certificate - certificate)).toBeLessThanOrEqual(1);
  });
});

describe('a long agreement', () => {
  it('flows over pages with correct page numbers', async () => {
    const words = 'The tenant keeps the flat in good order and pays the rent by the 5th of each month. ';
    const long = await renderer.composeFinalPdf({
      ...input,
      document: {
        ...input.document,
        description: Array.from({ length: 60 }, (_, i) => `${i + 1}. ${words.repeat(2)}`).join('\n'),
        pageDetails: Array.from({ length: 60 }, (_, i) => ({
          pageNo: i + 1,
          description: `Detail ${i + 1} ${words}`,
        })),
      },
      auditTrail: Array.from({ length: 80 }, (_, i) => ({
        at: input.composedAt,
        actor: `Actor ${i}`,
        action: 'opened the agreement',
      })),
    });
    const { agreement: pages, total, certificate } = long.pages;
    expect(pages).toBeGreaterThan(4);
    expect(certificate).toBeGreaterThan(2);
    expect(await textOf(long.pdf, pages)).toContain(`Page ${pages} of ${total}`);
    expect(await textOf(long.pdf, pages + 1)).toContain('One');
    expect(await textOf(long.pdf, total)).toContain(`Page ${total} of ${total}`);
    expect(await textOf(long.pdf)).toContain('Detail 60');
  });
});
