import { fileOf } from '@karaar/proof/seal/sealed-file';
import { checkSeal, type Trust } from '@karaar/proof/seal/check';
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer } from '@karaar/sealing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anatomy, append, splice } from '@karaar/sealing/testing/increments';

jest.setTimeout(120_000);

const MiB = 1024 * 1024;
const NOBODY: Trust = { sealers: [], roots: [], timestampRoots: [] };

let dir: string;
let sealed: Uint8Array;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-hostile-'));
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: dir } });
  sealed = (await sealer.seal(await textPdf('One'))).pdf;
});
afterAll(() => rm(dir, { recursive: true }));

function filled(size: number, pattern: string, end = ''): Buffer {
  const bytes = Buffer.alloc(size, pattern, 'latin1');
  bytes.write('%PDF-1.7\n', 'latin1');
  bytes.write(end, size - end.length, 'latin1');
  return bytes;
}

/** The sealed file with another signature value, of any length, and matching offsets. */
function withSignature(hex: string): Buffer {
  const { contents, contentsEnd, startxref, byteRange } = anatomy(sealed);
  const grown = hex.length - (contentsEnd - contents);
  const swapped = splice(sealed, contents, contentsEnd, hex).toString('latin1');
  const end = startxref + grown;
  const longer = String(end).length - String(startxref).length;
  const [, second = '', third = '', rest = ''] = /\[0 +(\d+) +(\d+) +(\d+)/.exec(byteRange) ?? [];
  const range = [0, second, Number(third) + grown, Number(rest) + longer]
    .map((number) => String(number).padEnd(10))
    .join(' ');
  return Buffer.from(
    swapped
      .replace(byteRange, `/ByteRange [${range}]`)
      .replace(/\b(\d{10}) 00000 n/g, (whole, offset: string) =>
        Number(offset) > contents ? `${String(Number(offset) + grown).padStart(10, '0')} 00000 n` : whole,
      )
      .replace(/startxref\n\d+\n%%EOF\n$/, `startxref\n${end}\n%%EOF\n`),
    'latin1',
  );
}

/** DER that nests deeply, or that has very many values. */
const nested = (depth: number): string => '3080'.repeat(depth);
const many = (count: number): string =>
  `3083${(count * 2).toString(16).padStart(6, '0')}${'3000'.repeat(count)}`;

const hostile: [string, () => Buffer][] = [
  ['zeros', () => filled(64 * MiB, '\0')],
  ['ends again and again', () => filled(64 * MiB, '\nstartxref\n1\n%%EOF\n', '\nstartxref\n1000\n%%EOF\n')],
  ['a table without an end', () => filled(16 * MiB, '1 1\n0000000001 00000 n \n', '\nstartxref\n9\n%%EOF\n')],
  [
    'a table of four megabytes',
    () => filled(20 * MiB, '7 1\n0000000009 00000 n \n', `\nstartxref\n${17 * MiB}\n%%EOF\n`),
  ],
  [
    'a catalog with a thousand entries',
    () => {
      const { catalog } = anatomy(sealed);
      return append(sealed, { [catalog]: `<</Type /Catalog/Pages 2 0 R${'/Lang <ab>'.repeat(100_000)}>>` });
    },
  ],
  ['a signature that nests', () => withSignature(nested(200_000))],
  ['a signature of a million values', () => withSignature(many(1_000_000))],
  ['a signature of zeros', () => withSignature('00'.repeat(1_000_000))],
];

describe('a hostile file', () => {
  it.each(hostile)('%s is refused in bounded time and memory', async (what, make) => {
    const bytes = make();
    const before = process.memoryUsage();
    const started = performance.now();
    const { checks } = await checkSeal(fileOf(bytes), NOBODY);
    expect(performance.now() - started).toBeLessThan(6_000);
    const after = process.memoryUsage();
    expect((after.heapUsed + after.external - before.heapUsed - before.external) / MiB).toBeLessThan(256);
    expect(checks.some(({ ok }) => !ok)).toBe(true);
    // The check came as far as the hostile signature.
    if (what.startsWith('a signature')) expect(checks[0]?.detail).toMatch(/damaged/);
  });
});
