import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LAW } from '@karaar/contracts/cms/law';
import { jest } from '@jest/globals';
import { toBase64 } from '@karaar/proof/bytes';
import { leafHash } from '@karaar/proof/log/merkle';
import { formatKey } from '@karaar/proof/log/note';
import { leafData } from '@karaar/proof/log/leaf';
import { LIST_NAME, packWriter, writeList } from '@karaar/proof/pack';
import { launchChromium, type TestBrowser } from '@karaar/testing/servers/chromium';
import type { Page } from 'puppeteer-core';
import { bundleReceipt, GENERATED } from '../../../scripts/receipt.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer, type SealedPdf, type Sealer } from '@karaar/sealing';
import { logged } from '../public-verification/testing/small-log.ts';
import { receiptPage } from './receipt-page.ts';

jest.setTimeout(120_000);

let dir: string;
let browser: TestBrowser;
let sealer: Sealer;
let sealed: SealedPdf;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-receipt-'));
  browser = await launchChromium();
  sealer = await createSealer({ key: { kind: 'dev', stateDir: dir } });
  sealed = await sealer.seal(await textPdf('The rent is 10,000 rupees'));
});
afterAll(async () => {
  await browser.close();
  await rm(dir, { recursive: true });
});

const receipt = (change: Record<string, unknown> = {}): string =>
  receiptOf(logged(sealed.pdf, sealed.sealedAt.toISOString()), change);

function receiptOf(
  { place, keys }: Pick<ReturnType<typeof logged>, 'place' | 'keys'>,
  change: Record<string, unknown> = {},
): string {
  const fact = { code: place.document_code, sha256: place.sha256, sealedAt: place.sealed_at };
  const leaf = leafHash(leafData(Buffer.from(place.salt, 'base64'), fact));
  const proof = {
    ...place,
    leaf_hash: toBase64(leaf),
    inclusion: [],
    keys: { log: formatKey(keys.log), witnesses: [], restarts: [] },
  };
  const [own, root] = sealer.identity.chain;
  if (!own || !root) throw new Error('the development key has no chain');
  return receiptPage({
    proof: { ...proof, ...change },
    ...{ sealers: [own], roots: [root], timestampRoots: [] },
    origin: 'https://karaar.example',
    approvals: [],
    law: LAW,
  });
}

/**
 * A receipt and a court pack, signed by the same log; `change` replaces bytes after signing. Without a PDF,
 * the pack contains the record alone; `code` makes it a pack of another agreement.
 */
function packWith(pdf: Uint8Array, { withPdf = true, code }: { withPdf?: boolean; code?: string } = {}) {
  const { place, keys, sign } = logged(pdf, sealed.sealedAt.toISOString());
  const files: Record<string, Uint8Array> = {
    ...(withPdf ? { [`agreement-${place.document_code}.pdf`]: pdf } : {}),
    'record/notes.txt': Buffer.from('Notes'),
  };
  const madeAt = '2026-11-25T06:00:00.000Z';
  const listed = Object.entries(files).map(([name, bytes]) => ({
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  }));
  const list = writeList({ code: code ?? place.document_code, madeAt, files: listed }, keys.log, sign);
  const packed = (change: Record<string, Uint8Array> = {}): Uint8Array => {
    const chunks: Uint8Array[] = [];
    const writer = packWriter(madeAt, (chunk) => chunks.push(chunk));
    for (const [name, bytes] of Object.entries({ [LIST_NAME]: Buffer.from(list), ...files, ...change }))
      writer.add(name).write(bytes, true);
    writer.end();
    return Buffer.concat(chunks);
  };
  return { packed, html: receiptOf({ place, keys }) };
}

async function check(page: Page, file: string): Promise<void> {
  const input = await page.$('input[type=file]');
  // `uploadFile` needs an element type of the browser, which this project's types lack.
  await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(file);
  await page.waitForSelector('#result:not([hidden])');
}

/** Opens the receipt from the disk with the network off, selects a file and returns the verdict. */
async function verdictOn(
  html: string,
  pdf: Uint8Array,
): Promise<{ verdict: string; text: string; requests: string[] }> {
  const [page_, file] = [join(dir, 'receipt.html'), join(dir, 'final.pdf')];
  await Promise.all([writeFile(page_, html), writeFile(file, pdf)]);
  const page = await browser.browser.newPage();
  const requests: string[] = [];
  try {
    await page.setOfflineMode(true);
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(page_).href);
    await check(page, file);
    const verdict = await page.$eval('#result', (element) => element.getAttribute('data-verdict') ?? '');
    const text = await page.$eval('#result', (element) => element.textContent ?? '');
    return { verdict, text, requests };
  } finally {
    await page.close();
  }
}

/** The local fonts, outside the page, that the page's text is drawn with. */
async function machineFonts(page: Page): Promise<string[]> {
  const devtools = await page.createCDPSession();
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument', { depth: 1 });
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: 'main *:not(option)',
  });
  const drawn = await Promise.all(
    nodeIds.map(async (nodeId) => (await devtools.send('CSS.getPlatformFontsForNode', { nodeId })).fonts),
  );
  await devtools.detach();
  const fonts = drawn.flat();
  expect(fonts.length).toBeGreaterThan(20);
  return fonts.filter(({ isCustomFont }) => !isCustomFont).map(({ familyName }) => familyName);
}

describe('the offline receipt', () => {
  it('verifies the PDF in a browser without network, and loads nothing', async () => {
    const { verdict, text, requests } = await verdictOn(receipt(), sealed.pdf);
    expect(text).toContain('is genuine');
    expect(text).toContain('PDF readers do not know this authority');
    expect(verdict).toBe('genuine');
    const fetched = requests.filter((each) => !each.startsWith('data:font/woff2;'));
    expect(fetched).toEqual([pathToFileURL(join(dir, 'receipt.html')).href]);
  });

  it('shows the page, the verdict and each check in the selected language', async () => {
    const page_ = join(dir, 'receipt.html');
    const file = join(dir, 'final.pdf');
    await Promise.all([writeFile(page_, receipt()), writeFile(file, sealed.pdf)]);
    const page = await browser.browser.newPage();
    try {
      await page.goto(pathToFileURL(page_).href);
      await check(page, file);
      for (const [language, verdict, finding] of [
        ['hi', '“final.pdf” असली है', 'ठीक यही फ़ाइल पारदर्शिता लॉग में है।'],
        ['ta', '“final.pdf” உண்மையானது', undefined],
        ['bn', '“final.pdf” আসল', undefined],
        ['te', '“final.pdf” నిజమైనది', undefined],
        ['en', '“final.pdf” is genuine', 'This exact file is in the transparency log.'],
      ] as const) {
        await page.select('#language', language);
        expect(await page.$eval('#verdict', (element) => element.textContent)).toBe(verdict);
        expect(await page.$eval('html', (element) => element.lang)).toBe(language);
        const text = await page.$eval('main', (element) => element.innerText);
        if (finding) expect(text).toContain(finding);
        if (language !== 'en')
          expect(text.replace(/English/g, '')).not.toMatch(/\b(the|file|sealed|entry)\b/i);
        expect(text).not.toMatch(/[{}]|undefined/);
        // No text uses a font of the reader's machine, which may lack the script.
        expect(await machineFonts(page)).toEqual([]);
      }
    } finally {
      await page.close();
    }
  });

  it('detects a PDF that was forged, extended or replaced by another one', async () => {
    const flipped = Uint8Array.from(sealed.pdf);
    flipped[300] = (flipped[300] ?? 0) ^ 1;
    const another = await sealer.seal(await textPdf('The rent is 1 rupee'));
    for (const pdf of [
      flipped,
      Buffer.concat([sealed.pdf, Buffer.from('\n')]),
      another.pdf,
      Buffer.from('no PDF'),
    ]) {
      expect((await verdictOn(receipt(), pdf)).verdict).toBe('forged');
    }
  });

  it('verifies a court pack with its PDF, and names a changed file', async () => {
    const { packed, html } = packWith(sealed.pdf);
    const whole = await verdictOn(html, packed());
    expect(whole.text).toContain('All 2 files are as they were');
    expect(whole).toMatchObject({ verdict: 'genuine' });
    const changed = await verdictOn(html, packed({ 'record/notes.txt': Buffer.from('Other notes') }));
    expect(changed.verdict).toBe('forged');
    expect(changed.text).toContain('record/notes.txt');
    expect(changed.text).toContain('Changed after the pack was made.');
  });

  it('verifies a pack of the record alone, and refuses one of another agreement', async () => {
    const record = packWith(sealed.pdf, { withPdf: false });
    const whole = await verdictOn(record.html, record.packed());
    expect(whole.verdict).toBe('genuine');
    expect(whole.text).toContain('The sealed PDF is not in it.');
    const other = packWith(sealed.pdf, { withPdf: false, code: 'ZZ99ZZ99' });
    const refused = await verdictOn(other.html, other.packed());
    expect(refused.verdict).toBe('forged');
    expect(refused.text).toContain('This pack belongs to another agreement.');
  });

  it('does not confirm a PDF with an invalid proof', async () => {
    expect((await verdictOn(receipt({ tree_size: 2 }), sealed.pdf)).verdict).toBe('forged');
  });

  it('does not execute scripts in its data', async () => {
    const html = receipt({ document_code: '</script><script>document.title="x"</script>' });
    expect(html).not.toContain('<script>document');
    expect(html).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)[a-z]/i);
  });

  it('contains the current bundle of its sources', async () => {
    expect(readFileSync(GENERATED, 'utf8')).toBe(await bundleReceipt());
  });
});
