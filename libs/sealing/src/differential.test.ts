/**
 * Compares the reader of seals (`@karaar/proof`) with a general PDF reader (`@libpdf/core`) on 10,000 sealed
 * files whose last revision was changed and made consistent again: if our reader sees a seal, the other one
 * sees the same seal and no other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { PDF, PdfArray, PdfDict, PdfNumber, PdfRef, PdfString } from '@libpdf/core';
import { fileOf, readSeal, type Seal } from '@karaar/proof/seal/sealed-file';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer } from './seal.ts';
import { changedSeal } from './testing/changed-seals.ts';
import { seededChance } from './testing/seeded-chance.ts';

jest.setTimeout(240_000);

/** KARAAR_SEED=… makes other changes. */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_123);
const FILES = 10_000;

let sealed: Uint8Array;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'karaar-differential-'));
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: dir } });
  sealed = (await sealer.seal(await textPdf('One page'))).pdf;
  await rm(dir, { recursive: true });
});

/** Returns the seal as the other reader finds it: the signature of the only field, and its signed range. */
async function theirs(
  bytes: Uint8Array,
): Promise<{ contents: string; range: number[]; time: string } | string> {
  const pdf = await PDF.load(bytes);
  if (pdf.recoveredViaBruteForce) return 'repaired';
  const follow = (value: unknown): unknown =>
    value instanceof PdfRef ? pdf.context.registry.resolve(value) : value;
  const form = follow(pdf.getCatalog().get('AcroForm'));
  const fields = form instanceof PdfDict ? follow(form.get('Fields')) : undefined;
  if (!(fields instanceof PdfArray) || fields.length !== 1) return 'not one field';
  const field = follow(fields.at(0));
  const signature = field instanceof PdfDict ? follow(field.get('V')) : undefined;
  const permissions = follow(pdf.getCatalog().get('Perms'));
  const certified = permissions instanceof PdfDict ? follow(permissions.get('DocMDP')) : undefined;
  if (!(signature instanceof PdfDict) || certified !== signature) return 'not the certification';
  const [contents, range, time] = ['Contents', 'ByteRange', 'M'].map((name) => signature.get(name));
  if (!(contents instanceof PdfString) || !(range instanceof PdfArray) || !(time instanceof PdfString))
    return 'not a signature';
  const numbers = [...range].map((one) => (one instanceof PdfNumber ? one.value : Number.NaN));
  return { contents: Buffer.from(contents.bytes).toString('hex'), range: numbers, time: time.asString() };
}

async function differenceOf(bytes: Uint8Array, seal: Seal): Promise<string | undefined> {
  const other = await theirs(bytes).catch((error: unknown) => `refused: ${String(error)}`);
  if (typeof other === 'string') return other;
  const [from = Number.NaN, length = 0, second = 0, rest = 0] = other.range;
  if (from !== 0 || second + rest !== bytes.length) return `signs ${other.range.join(' ')}`;
  const hole = Buffer.from(bytes.subarray(length, second)).toString('latin1');
  if (!/^<[0-9a-f]+>$/.test(hole) || hole.slice(1, -1) !== other.contents)
    return 'leaves out more than the signature';
  const cms = Buffer.from(seal.cms).toString('hex');
  if (!other.contents.startsWith(cms) || /[^0]/.test(other.contents.slice(cms.length)))
    return 'another signature';
  const stated = `D:${seal.statedTime.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return stated === other.time ? undefined : `states ${other.time}`;
}

/** The catalog's pages are sealed content and do not decide where the seal is. */
const pagesOf = (bytes: Uint8Array): string | undefined =>
  /\/Type \/Catalog\/Pages (\d+) 0 R/.exec(Buffer.from(bytes.subarray(-16_384)).toString('latin1'))?.[1];

it('sees the same seal as a general PDF reader in every changed file that it accepts', async () => {
  const chance = seededChance(SEED);
  const differences: string[] = [];
  let seen = 0;
  for (let i = 0; i < FILES; i += 1) {
    const bytes = changedSeal(sealed, chance);
    const reading = await readSeal(fileOf(bytes));
    if (!('seal' in reading) || pagesOf(bytes) !== pagesOf(sealed)) continue;
    seen += 1;
    const difference = await differenceOf(bytes, reading.seal);
    if (difference !== undefined) differences.push(`file ${i} of seed ${SEED}: ${difference}`);
  }
  expect(differences).toEqual([]);
  // If all files were refused, nothing would be compared.
  expect(seen).toBeGreaterThan(100);
});
