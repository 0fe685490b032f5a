import 'reflect-metadata'; // required by the certificate library's dependency injection
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { PDF, type Signer } from '@libpdf/core';
import { toBase64 } from '@karaar/proof/bytes';
import { readCertificate, type Certificate } from '@karaar/proof/seal/certificate';
import { checkPlace, checkSeal, type StatedPlace, type Trust } from '@karaar/proof/seal/check';
import type { Check } from '@karaar/proof/seal/check-result';
import { fileOf } from '@karaar/proof/seal/sealed-file';
import * as x509 from '@peculiar/x509';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer, type Sealer } from '@karaar/sealing';
import { takeApart } from '@karaar/sealing/testing/signature';
import { startTsa, type LocalTsa } from '@karaar/sealing/testing/tsa';
import { issueBy, makeAuthority, type Authority, type Issue } from './testing/authority.ts';
import { forgeriesOf, type Forgery } from '@karaar/sealing/testing/forgeries';
import { logged } from './testing/small-log.ts';
import { anatomy, splice } from '@karaar/sealing/testing/increments';

jest.setTimeout(120_000);

let dir: string;
let authority: Authority;
let sealer: Sealer;
let trust: Trust;
let sealed: Uint8Array;
let other: Uint8Array;
let tsa: LocalTsa;
let tsaRoot: Certificate;

const sealWith = (issued: { signer: Signer }, tsaUrls: string[] = []): Promise<Sealer> =>
  createSealer({ key: { kind: 'signer', signer: issued.signer }, tsaUrls, tsa: { rounds: 1 } });

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-forgeries-'));
  await mkdir(join(dir, 'tsa'));
  tsa = await startTsa(join(dir, 'tsa'));
  tsaRoot = readCertificate(new Uint8Array(new x509.X509Certificate(tsa.certificate).rawData));
  authority = await makeAuthority();
  const issued = await authority.issue();
  sealer = await sealWith(issued);
  trust = { sealers: [issued.certificate], roots: [authority.root], timestampRoots: [tsaRoot] };
  sealed = (await sealer.seal(await textPdf('The rent is 10,000 rupees', 'Second page'))).pdf;
  other = (await sealer.seal(await textPdf('The rent is 20,000 rupees', 'Another second page'))).pdf;
});

afterAll(async () => {
  tsa.close();
  await rm(dir, { recursive: true });
});

const failed = (checks: readonly Check[]): string[] => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const seal = (pdf: Uint8Array, trusted = trust) => checkSeal(fileOf(pdf), trusted);

describe('a sealed file', () => {
  it('[FINAL-037] passes the checks of its seal, its hash and its place in the log', async () => {
    const { checks, seal: found } = await seal(sealed);
    expect(failed(checks)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(['file', 'coverage', 'signature', 'certificate']);
    expect(found?.signer).toBe('Karaar seal');
    const { place, keys } = logged(sealed);
    const sha256 = createHash('sha256').update(sealed).digest();
    expect(failed(checkPlace(place, sha256, keys).checks)).toEqual([]);
  });

  it('with a timestamp of a trusted authority has a time', async () => {
    const stamped = await (await sealWith(await issuedAgain(), [tsa.url])).seal(await textPdf('One'));
    const { checks, seal: found } = await seal(stamped.pdf, stampTrust);
    expect(failed(checks)).toEqual([]);
    expect(Math.abs((found?.timestamp?.time.getTime() ?? 0) - Date.now())).toBeLessThan(120_000);
    const strangers = { ...stampTrust, timestampRoots: [] };
    expect(failed((await seal(stamped.pdf, strangers)).checks)).toEqual(['timestamp']);
  });
});

let stampTrust: Trust;
async function issuedAgain() {
  const issued = await authority.issue();
  stampTrust = { ...trust, sealers: [issued.certificate] };
  return issued;
}

describe('forged files', () => {
  it('are not accepted by the seal alone, in more than 200 variants', async () => {
    const variants = [
      ...forgeriesOf(sealed, other),
      ...(await libraryRevisions()),
      ...(await rewrittenSignatures()),
    ];
    expect(variants.length).toBeGreaterThan(220);
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
    const genuine = [sealed, other].map((pdf) => Buffer.from(pdf));
    const accepted: string[] = [];
    for (const { name, pdf } of variants) {
      // A variant that equals a genuine file would prove nothing.
      expect({ name, same: genuine.some((one) => one.equals(pdf)) }).toEqual({ name, same: false });
      const { checks } = await seal(pdf);
      expect(checks.length).toBeGreaterThan(0);
      if (checks.every(({ ok }) => ok)) accepted.push(name);
    }
    expect(accepted).toEqual([]);
  });

  it('are not in the log, whatever proof comes with them', async () => {
    const { place, keys } = logged(sealed);
    for (const { pdf } of forgeriesOf(sealed, other).slice(0, 60)) {
      const sha256 = createHash('sha256').update(pdf).digest();
      expect(failed(checkPlace(place, sha256, keys).checks)).toContain('logged');
    }
    const sha256 = createHash('sha256').update(sealed).digest();
    const forged: Partial<StatedPlace>[] = [
      { leaf_index: 1 },
      { tree_size: 2 },
      { salt: toBase64(randomBytes(32)) },
      { document_code: '00000000' },
      { sealed_at: '2026-11-21T06:00:00.001Z' },
      { inclusion: [toBase64(randomBytes(32))] },
      { checkpoint: place.checkpoint.replace('\n1\n', '\n2\n') },
      { checkpoint: logged(sealed).place.checkpoint },
      { checkpoint: '' },
      { salt: 'x' },
      { sha256: 'zz' },
    ];
    for (const change of forged) {
      expect(failed(checkPlace({ ...place, ...change }, sha256, keys).checks).length).toBeGreaterThan(0);
    }
    expect(failed(checkPlace(undefined, sha256, keys).checks)).toEqual(['logged']);
  });

  it.each([
    ['SHA-256', 32, []],
    ['SHA-256', 222, []],
    // The CMS names SHA-256 as the digest of the file.
    ['SHA-384', 48, ['signature', 'certificate']],
    ['SHA-512', 64, ['signature', 'certificate']],
  ] as const)(
    'with RSASSA-PSS, %s and a salt of %d bytes fail the checks %j',
    async (hash, saltLength, failing) => {
      const { pdf, certificate } = await sealedByPss(hash, saltLength);
      expect(failed((await seal(pdf, { ...trust, sealers: [certificate] })).checks)).toEqual(failing);
    },
  );

  it('with another file’s timestamp, or without their own, are detected', async () => {
    const issued = await issuedAgain();
    const stamper = await sealWith(issued, [tsa.url]);
    const [one, two] = [await stamper.seal(await textPdf('One')), await stamper.seal(await textPdf('Two'))];
    const foreign = takeApart(two.pdf).signed.signerInfos[0]?.unsignedAttrs;
    const swapped = withSignature(one.pdf, (signed) => {
      const [info] = signed.signerInfos;
      if (info && foreign) info.unsignedAttrs = foreign;
    });
    expect(failed((await seal(swapped, stampTrust)).checks)).toEqual(['timestamp']);
    // The seal alone cannot show that there was a timestamp. The log can, because the file's hash differs.
    const stripped = withSignature(one.pdf, (signed) => {
      const [info] = signed.signerInfos;
      if (info) delete info.unsignedAttrs;
    });
    const { place, keys } = logged(one.pdf);
    const sha256 = createHash('sha256').update(stripped).digest();
    expect(failed(checkPlace(place, sha256, keys).checks)).toContain('logged');
  });
});

describe('certificates', () => {
  const verdict = async (change: Issue): Promise<string[]> => {
    const issued = await authority.issue(change);
    const pdf = (await sealWithAny(issued.signer)).pdf;
    return failed((await seal(pdf, { ...trust, sealers: [issued.certificate] })).checks);
  };

  it('must be Karaar’s own, not another one of the same authority and name', async () => {
    const { signer } = await authority.issue();
    expect(failed((await seal((await sealWithAny(signer)).pdf)).checks)).toEqual(['certificate']);
  });

  it('of another authority with the same name are rejected', async () => {
    const mallory = await (await makeAuthority()).issue();
    const pdf = (await sealWithAny(mallory.signer)).pdf;
    expect(failed((await seal(pdf)).checks)).toEqual(['certificate']);
    // Not even if the certificate itself were trusted.
    expect(failed((await seal(pdf, { ...trust, sealers: [mallory.certificate] })).checks)).toEqual([
      'certificate',
    ]);
  });

  it('must be for signing, without unknown critical extensions, and valid at the time', async () => {
    expect(await verdict({})).toEqual([]);
    expect(await verdict({ usage: x509.KeyUsageFlags.keyEncipherment })).toEqual(['certificate']);
    expect(await verdict({ odd: true })).toEqual(['certificate']);
    expect(await verdict({ from: 2, until: 9 })).toEqual(['certificate']);
    await expect(verdict({ from: -9, until: -2 })).rejects.toThrow('expired');
  });

  it('must be issued by an authority, not by a plain certificate', async () => {
    const leaf = await authority.issue();
    const plain = new x509.X509Certificate(Buffer.from(leaf.certificate.bytes));
    const child = await issueBy({ certificate: plain, keys: leaf.keys });
    const pdf = (await sealWithAny(child.signer)).pdf;
    expect(failed((await seal(pdf, { ...trust, sealers: [child.certificate] })).checks)).toEqual([
      'certificate',
    ]);
  });
});

const sealWithAny = async (signer: Signer) =>
  (await sealWith({ signer })).seal(await textPdf('The rent is 1 rupee'));

function putSignature(pdf: Uint8Array, signed: pki.SignedData): Buffer {
  const content = new pki.ContentInfo({
    contentType: '1.2.840.113549.1.7.2',
    content: signed.toSchema(true),
  });
  const hex = Buffer.from(content.toSchema().toBER()).toString('hex');
  const { contents, contentsEnd } = anatomy(pdf);
  return splice(pdf, contents, contentsEnd, hex.padEnd(contentsEnd - contents, '0'));
}

function withSignature(pdf: Uint8Array, change: (signed: pki.SignedData) => void): Buffer {
  const { signed } = takeApart(pdf);
  change(signed);
  return putSignature(pdf, signed);
}

const SHA2 = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
};

/** A sealed file with an RSASSA-PSS signature, which the sealer itself does not write. */
async function sealedByPss(
  hash: keyof typeof SHA2,
  saltLength: number,
): Promise<{ pdf: Buffer; certificate: Certificate }> {
  const RSA = { modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) };
  const keys = await crypto.subtle.generateKey({ name: 'RSA-PSS', ...RSA, hash }, true, ['sign', 'verify']);
  const { certificate, signer } = await authority.issue({ keys });
  const { pdf } = await sealWithAny({
    certificate: signer.certificate,
    certificateChain: signer.certificateChain,
    keyType: 'RSA',
    signatureAlgorithm: 'RSASSA-PKCS1-v1_5',
    sign: async (data) =>
      new Uint8Array(
        await crypto.subtle.sign({ name: 'RSA-PSS', saltLength }, keys.privateKey, new Uint8Array(data)),
      ),
  });
  const hashAlgorithm = new pki.AlgorithmIdentifier({
    algorithmId: SHA2[hash],
  });
  const maskGenAlgorithm = new pki.AlgorithmIdentifier({
    algorithmId: '1.2.840.113549.1.1.8',
    algorithmParams: hashAlgorithm.toSchema(),
  });
  const parameters = new pki.RSASSAPSSParams({ hashAlgorithm, maskGenAlgorithm, saltLength });
  const signatureAlgorithm = new pki.AlgorithmIdentifier({
    algorithmId: '1.2.840.113549.1.1.10',
    algorithmParams: parameters.toSchema(),
  });
  return {
    certificate,
    pdf: withSignature(pdf, ({ signerInfos: [info] }) => {
      if (info) info.signatureAlgorithm = signatureAlgorithm;
    }),
  };
}

/** Signatures that an attacker with another key puts in the place of the genuine one. */
async function rewrittenSignatures(): Promise<Forgery[]> {
  const mallory = await (await makeAuthority()).issue();
  const evil = pki.Certificate.fromBER(new Uint8Array(mallory.certificate.bytes).buffer);
  const info = (signed: pki.SignedData): pki.SignerInfo => signed.signerInfos[0] as pki.SignerInfo;
  const resign = async (signed: pki.SignedData): Promise<void> => {
    const toSign = new Uint8Array(
      (info(signed).signedAttrs as pki.SignedAndUnsignedAttributes).toSchema().toBER(),
    );
    toSign[0] = 0x31;
    info(signed).signature = new asn1.OctetString({
      valueHex: new Uint8Array(await mallory.signer.sign(toSign, 'SHA-256')).buffer,
    });
  };
  const variants: [string, (signed: pki.SignedData) => void | Promise<void>][] = [
    ['certificate swapped', (s) => void (s.certificates = [evil])],
    ['certificate beside the genuine one', (s) => void s.certificates?.push(evil)],
    ['certificate twice', (s) => void s.certificates?.push(s.certificates[0] as pki.Certificate)],
    ['certificates removed', (s) => void delete s.certificates],
    ['signed again by another key', resign],
    [
      'certificate swapped and signed again',
      async (s) => {
        s.certificates = [evil];
        await resign(s);
      },
    ],
    [
      'signer swapped',
      (s) =>
        void (info(s).sid = new pki.IssuerAndSerialNumber({
          issuer: evil.issuer,
          serialNumber: evil.serialNumber,
        })),
    ],
    [
      'signer and certificate swapped, signed again',
      async (s) => {
        info(s).sid = new pki.IssuerAndSerialNumber({ issuer: evil.issuer, serialNumber: evil.serialNumber });
        s.certificates = [evil];
        await resign(s);
      },
    ],
    ['without signed attributes', (s) => void delete info(s).signedAttrs],
    ['without certificate binding', (s) => void drop(info(s), '1.2.840.113549.1.9.16.2.47')],
    ['without message digest', (s) => void drop(info(s), '1.2.840.113549.1.9.4')],
    [
      'with content inside',
      (s) =>
        void (s.encapContentInfo.eContent = new asn1.OctetString({ valueHex: new Uint8Array([1]).buffer })),
    ],
    ['with a second signer', (s) => void s.signerInfos.push(info(s))],
    ['without a signer', (s) => void (s.signerInfos = [])],
    [
      'with an attribute that nobody signed',
      (s) =>
        void (info(s).unsignedAttrs = new pki.SignedAndUnsignedAttributes({
          type: 1,
          attributes: [new pki.Attribute({ type: '1.2.3.4', values: [new asn1.Null()] })],
        })),
    ],
    [
      'with other bytes instead of a timestamp',
      (s) =>
        void (info(s).unsignedAttrs = new pki.SignedAndUnsignedAttributes({
          type: 1,
          attributes: [new pki.Attribute({ type: '1.2.840.113549.1.9.16.2.14', values: [new asn1.Null()] })],
        })),
    ],
    [
      'with a short signature',
      (s) => void (info(s).signature = new asn1.OctetString({ valueHex: new Uint8Array([1]).buffer })),
    ],
    [
      'with ECDSA of zeros',
      (s) =>
        void (info(s).signature = new asn1.OctetString({
          valueHex: new asn1.Sequence({
            value: [new asn1.Integer({ value: 0 }), new asn1.Integer({ value: 0 })],
          }).toBER(),
        })),
    ],
    [
      'with RSA named as its algorithm',
      (s) =>
        void (info(s).signatureAlgorithm = new pki.AlgorithmIdentifier({
          algorithmId: '1.2.840.113549.1.1.11',
          algorithmParams: new asn1.Null(),
        })),
    ],
    [
      // This name is not signed, so anyone who has the file can change it.
      'with SHA-512 named as its digest',
      (s) => {
        const sha512 = new pki.AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.3' });
        s.digestAlgorithms = [sha512];
        info(s).digestAlgorithm = sha512;
      },
    ],
    [
      'with MD5 named as its digest',
      (s) =>
        void (info(s).digestAlgorithm = new pki.AlgorithmIdentifier({ algorithmId: '1.2.840.113549.2.5' })),
    ],
  ];
  const forged: Forgery[] = [];
  for (const [name, change] of variants) {
    const { signed } = takeApart(sealed);
    await change(signed);
    forged.push({ name: `signature ${name}`, pdf: putSignature(sealed, signed) });
  }
  return forged;
}

function drop(info: pki.SignerInfo, oid: string): void {
  if (info.signedAttrs)
    info.signedAttrs.attributes = info.signedAttrs.attributes.filter(({ type }) => type !== oid);
}

/** The files that a PDF program writes when a user edits the sealed file. */
async function libraryRevisions(): Promise<Forgery[]> {
  const edits: [string, (pdf: PDF) => void][] = [
    ['title', (pdf) => pdf.setTitle('Forged')],
    ['page added', (pdf) => void pdf.addPage({ size: 'a4' })],
    ['page removed', (pdf) => void pdf.removePage(1)],
    ['text over text', (pdf) => void pdf.getPage(0)?.drawText('1 rupee', { x: 50, y: 700, size: 30 })],
    ['page turned', (pdf) => void pdf.getPage(0)?.setRotation(180)],
  ];
  const forged: Forgery[] = [];
  for (const [name, edit] of edits) {
    for (const incremental of [true, false]) {
      const pdf = await PDF.load(sealed);
      edit(pdf);
      const bytes = await pdf.save({ incremental });
      if (!Buffer.from(bytes).equals(Buffer.from(sealed)))
        forged.push({ name: `edited: ${name}, ${incremental}`, pdf: bytes });
    }
  }
  return forged;
}
