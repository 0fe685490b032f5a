import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { PDF } from '@libpdf/core';
import { textPdf } from '@karaar/testing/made-up/files';
import { complaints, paint, difference, tool, unpacked } from '@karaar/testing/pdf-judges';
import { createSealer, type SealedPdf, type Sealer } from './seal.ts';
import { takeApart } from './testing/signature.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

let dir: string;
let sealer: Sealer;
let source: Uint8Array;
let sealed: SealedPdf;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-seal-'));
  sealer = await createSealer({ key: { kind: 'dev', stateDir: dir } });
  source = await textPdf('First page', 'Second page');
  sealed = await sealer.seal(source);
});

afterAll(() => rm(dir, { recursive: true }));

const verdict = (pdf: Uint8Array): Promise<string> => tool('pdfsig', (file) => [file], pdf);

describe('the seal', () => {
  it('[FINAL-024] is one certification signature with DocMDP P=1, valid and over the whole file', async () => {
    const text = await verdict(sealed.pdf);
    expect(text).toContain('Signature is Valid');
    expect(text).toContain('Total document signed');
    expect(text.match(/^Signature #/gm)).toHaveLength(1);
    expect(text).toContain('ETSI.CAdES.detached');

    const inside = await unpacked(sealed.pdf);
    expect(inside.match(/\/Type \/Sig\b/g)).toHaveLength(1);
    expect(inside.match(/\/TransformMethod \/DocMDP/g)).toHaveLength(1);
    expect(inside).toMatch(/\/TransformParams <<\s+\/P 1\s/);
    const [, signature] = /\/Perms <<\s+\/DocMDP (\d+ 0 R)/.exec(inside) ?? [];
    expect(inside).toMatch(new RegExp(`/V ${signature}`)); // the certification is the field's own signature
    expect(inside).toMatch(/\/SigFlags 3/);
  });

  it('leaves a valid file whose pages look as before', async () => {
    expect(await complaints(sealed.pdf)).toBe('');
    expect(difference(await paint(source, 2), await paint(sealed.pdf, 2))).toBe(0);
    expect(Buffer.from(sealed.pdf).subarray(0, source.length).equals(source)).toBe(true);
  });

  it('[FINAL-026] is PAdES B-B without a timestamp authority, and reports this level', () => {
    expect(sealer.level).toBe('B-B');
    expect(sealed.level).toBe('B-B');
    const { signed } = takeApart(sealed.pdf);
    const [signer] = signed.signerInfos;
    expect(signer?.unsignedAttrs).toBeUndefined();
    expect(signer?.signedAttrs?.attributes.map((a) => a.type)).toContain(SIGNING_CERTIFICATE_V2);
  });

  it('names its certificate and includes it in the signed data (ESS signing-certificate-v2)', () => {
    const { signed } = takeApart(sealed.pdf);
    const certificates = (signed.certificates ?? []).map((c) => Buffer.from(c.toSchema().toBER()));
    expect(certificates).toHaveLength(2);
    const fingerprint = createHash('sha256')
      .update(certificates[0] ?? '')
      .digest('hex');
    expect(sealed.certFingerprint).toBe(fingerprint);
    expect(sealed.signer).toBe('Karaar development seal');
    const attribute = signed.signerInfos[0]?.signedAttrs?.attributes.find(
      (a) => a.type === SIGNING_CERTIFICATE_V2,
    );
    expect(Buffer.from(attribute?.toSchema().toBER() ?? new ArrayBuffer(0)).toString('hex')).toContain(
      fingerprint,
    );
  });

  it('keeps the signing time in the PDF, as PAdES baseline requires (EN 319 142-1 table 1), and is DER', async () => {
    const { signed, cms } = takeApart(sealed.pdf);
    const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? [];
    expect(attributes.map((a) => a.type)).not.toContain('1.2.840.113549.1.9.5');
    expect(await unpacked(sealed.pdf)).toMatch(/\/M \(D:\d{14}Z\)/);
    const encoded = attributes.map((a) => Buffer.from(a.toSchema().toBER()).toString('hex'));
    expect(encoded).toEqual(encoded.toSorted());
    await writeFile(join(dir, 'parse.der'), cms);
    await run('openssl', ['asn1parse', '-inform', 'DER', '-in', join(dir, 'parse.der'), '-noout']);
  });

  it('is found by the PDF library', async () => {
    const pdf = await PDF.load(sealed.pdf);
    expect(pdf.recoveredViaBruteForce).toBe(false);
    const fields = pdf.getForm()?.getSignatureFields() ?? [];
    expect(fields.map((field) => field.isSigned())).toEqual([true]);
  });

  it('verifies with OpenSSL from the bytes in the file, up to the CA', async () => {
    const { cms, content } = takeApart(sealed.pdf);
    const file = (name: string): string => join(dir, name);
    await Promise.all([writeFile(file('seal.der'), cms), writeFile(file('content'), content)]);
    const verify = (name: string): Promise<{ stderr: string }> =>
      run('openssl', [
        ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', file('seal.der'), '-content', file(name)],
        ...['-CAfile', join(dir, 'seal', 'ca.crt.pem'), '-purpose', 'any', '-out', '/dev/null'],
      ]);
    expect((await verify('content')).stderr).toContain('successful');
    content[100] = (content[100] ?? 0) ^ 1;
    await writeFile(file('content'), content);
    await expect(verify('content')).rejects.toThrow();
  });

  it('breaks when any byte changes', async () => {
    const { byteRange, cms } = takeApart(sealed.pdf);
    const [, first, second] = byteRange;
    const inContents = first + 1 + cms.length * 2 - 8; // the last bytes of the signature's value
    const places = [9, 50, source.length - 5, first - 20, second + 3, sealed.pdf.length - 12, inContents];
    for (const place of places) {
      const forged = Uint8Array.from(sealed.pdf);
      forged[place] = forged[place] === 0x31 ? 0x32 : 0x31;
      const text = await verdict(forged);
      expect(text.includes('Signature is Valid') && text.includes('Total document signed')).toBe(false);
    }
  });

  it('does not cover later additions', async () => {
    const later = await PDF.load(sealed.pdf);
    later.setTitle('Forged title');
    const appended = await later.save({ incremental: true });
    expect(appended.length).toBeGreaterThan(sealed.pdf.length);
    expect(await verdict(appended)).not.toContain('Total document signed');
  });
});

describe('sealing refuses', () => {
  it('sealed files, other files and damaged files', async () => {
    await expect(sealer.seal(sealed.pdf)).rejects.toMatchObject({ code: 'not_sealable' });
    await expect(sealer.seal(Buffer.from('hello'))).rejects.toMatchObject({ code: 'not_sealable' });
    await expect(sealer.seal(source.subarray(0, source.length - 200))).rejects.toMatchObject({
      code: 'not_sealable',
    });
  });

  it('a level that it cannot reach', async () => {
    await expect(sealer.seal(source, { level: 'B-T' })).rejects.toMatchObject({ code: 'tsa_unavailable' });
  });

  it('no page content: the words of a signature on a page are only words', async () => {
    const tricky = await textPdf('/ByteRange [0 1 2 3] /Contents <00> /Type /Sig');
    const text = await verdict((await sealer.seal(tricky)).pdf);
    expect(text).toContain('Signature is Valid');
    expect(text).toContain('Total document signed');
  });
});

describe('simultaneous seals', () => {
  it('are all valid', async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => sealer.seal(await textPdf(`Page ${i}`))),
    );
    for (const one of all) expect(await verdict(one.pdf)).toContain('Signature is Valid');
    expect(await readFile(join(dir, 'seal', 'seal.crt.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
  });
});
