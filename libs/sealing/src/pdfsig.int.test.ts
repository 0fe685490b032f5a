/**
 * Compares our verdict on a seal with that of poppler's `pdfsig` for more than 300 sealed, damaged and forged
 * files. They agree unless ours is stricter for a reason given here.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readCertificate } from '@karaar/proof/seal/certificate';
import { checkSeal, type Trust } from '@karaar/proof/seal/check';
import { fileOf } from '@karaar/proof/seal/sealed-file';
import { textPdf } from '@karaar/testing/made-up/files';
import { tool } from '@karaar/testing/pdf-judges';
import { createSealer } from './seal.ts';
import { forgeriesOf, type Forgery } from './testing/forgeries.ts';
import { seededChance } from './testing/seeded-chance.ts';
import type { Chance } from './testing/changed-seals.ts';

jest.setTimeout(240_000);

/** KARAAR_SEED=… makes other damage. */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_126);
const SEALED = 20;
const DAMAGED = 100;

let dir: string;
let trust: Trust;
let sealed: Uint8Array[];
/** In hexadecimal digits, as in the files. */
let certificates: string[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-pdfsig-'));
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: dir } });
  certificates = sealer.identity.chain.map((der) => Buffer.from(der).toString('hex'));
  const [leaf, ...roots] = sealer.identity.chain.map((der) => readCertificate(new Uint8Array(der)));
  if (!leaf) throw new Error('the sealer has no certificate');
  trust = { sealers: [leaf], roots, timestampRoots: [] };
  sealed = [];
  for (let i = 0; i < SEALED; i += 1) {
    const pages = Array.from({ length: 1 + (i % 4) }, (_, page) => `Lease ${i}, page ${page + 1}`);
    sealed.push((await sealer.seal(await textPdf(...pages))).pdf);
  }
});
afterAll(() => rm(dir, { recursive: true }));

const ours = async (pdf: Uint8Array): Promise<string[]> =>
  (await checkSeal(fileOf(pdf), trust)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

/**
 * Returns true if `pdfsig` sees exactly one signature that is valid and covers the whole file. It exits with
 * 0 for every file.
 */
async function theirs(pdf: Uint8Array): Promise<boolean> {
  // Trust in the certificate would depend on the machine's store.
  const text = await tool('pdfsig', (file) => ['-nocert', file], pdf);
  return (
    text.match(/^Signature #/gm)?.length === 1 &&
    text.includes('Signature is Valid') &&
    text.includes('Total document signed')
  );
}

/** Damages a file as a disk, a mail program or a bad connection might. */
function damaged(pdf: Uint8Array, chance: Chance): Buffer {
  const bytes = Buffer.from(pdf);
  const at = chance(bytes.length - 64);
  const kind = chance(5);
  if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << chance(8));
  else if (kind === 1) return bytes.subarray(0, at);
  else if (kind === 2) bytes.fill(0, at, at + 1 + chance(64));
  else if (kind === 3) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + chance(8))]);
  else return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance(256)]), bytes.subarray(at)]);
  return bytes;
}

function spoiled(): Forgery[] {
  const [one, two] = sealed;
  if (!one || !two) throw new Error('there are no sealed files');
  const chance = seededChance(SEED);
  const hurt = Array.from({ length: DAMAGED }, (_, i) => {
    const pdf = sealed[i % SEALED] ?? one;
    return { name: `damage ${i} of seed ${SEED}`, pdf: damaged(pdf, chance) };
  });
  // Drops damage that changes no byte, such as a zero written over a zero.
  const isChanged = ({ pdf }: Forgery) => !sealed.some((whole) => Buffer.from(whole).equals(pdf));
  return [...forgeriesOf(one, two), ...hurt.filter(isChanged)];
}

it('accepts every sealed file, as pdfsig does', async () => {
  for (const pdf of sealed) expect([await ours(pdf), await theirs(pdf)]).toEqual([[], true]);
});

/** Returns true if a file differs from a sealed one only in the certificates that come with its signature. */
function isAnotherCertificateOnly(pdf: Uint8Array): boolean {
  return sealed.some((whole) => {
    if (whole.length !== pdf.length) return false;
    const rest = Buffer.from(pdf);
    for (const certificate of certificates) {
      const at = Buffer.from(whole).indexOf(certificate, 0, 'latin1');
      if (at >= 0) rest.set(whole.subarray(at, at + certificate.length), at);
    }
    return rest.equals(whole);
  });
}

/** Returns true if a file differs from a sealed one only in uppercase hexadecimal digits of its signature. */
function isInCapitalsOnly(pdf: Uint8Array): boolean {
  const small = Buffer.from(pdf)
    .toString('latin1')
    .replace(/(?<=\/Contents <)[0-9A-Fa-f]+/g, (digits) => digits.toLowerCase());
  return sealed.some((whole) => Buffer.from(whole).toString('latin1') === small);
}

it('refuses every damaged and forged file, and pdfsig those whose damage the signature covers', async () => {
  const files = spoiled();
  expect(files.length).toBeGreaterThan(280);
  const accepted: string[] = [];
  const stricter: Forgery[] = [];
  for (const file of files) {
    const failed = await ours(file.pdf);
    if (failed.length === 0) accepted.push(file.name);
    else if (await theirs(file.pdf)) stricter.push(file);
  }
  expect(accepted).toEqual([]);
  // A signature does not cover the certificates that come with it. Our check accepts only the exact
  // certificate that it knows.
  const others = stricter.filter(({ pdf }) => !isAnotherCertificateOnly(pdf));
  expect(others.length).toBeLessThan(stricter.length);
  // Uppercase digits encode the same signature, but Karaar never writes them.
  expect(others.map(({ name }) => name)).toContain('/Contents in capitals');
  expect(others.filter(({ pdf }) => !isInCapitalsOnly(pdf)).map(({ name }) => name)).toEqual([]);
});
