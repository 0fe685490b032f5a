import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import type { TimestampAuthority } from '@libpdf/core';
import { readCertificate } from '@karaar/proof/seal/certificate';
import { checkSeal, type Trust } from '@karaar/proof/seal/check';
import { readDer } from '@karaar/proof/seal/der';
import { revocationFault } from '@karaar/proof/seal/revocation';
import { fileOf, readSeal, type ValidationData } from '@karaar/proof/seal/sealed-file';
import { forgeriesOf } from './testing/forgeries.ts';
import { replace, splice } from './testing/increments.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { complaints, tool } from '@karaar/testing/pdf-judges';
import { signDetached } from './cms.ts';
import { openKey } from './keys.ts';
import { createLongTerm } from './long-term.ts';
import { appendSignature } from './revision.ts';
import { createSealer, type Sealer } from './seal.ts';
import { type OpensslCa, startCa } from './testing/openssl-ca.ts';
import { startTsa } from './testing/tsa.ts';
import { createTimestamper } from './timestamp.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const PASSWORD = 'a test password';
const SIGNING = 'keyUsage=critical,digitalSignature,nonRepudiation';
const STAMPING = ['keyUsage=critical,digitalSignature', 'extendedKeyUsage=critical,timeStamping'];

let dir: string;
let ca: OpensslCa;
let tsaUrl: string;
const servers: { close(): void }[] = [];
const root = () => readCertificate(new Uint8Array(new X509Certificate(ca.certificate).raw));

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-long-term-'));
  ca = await startCa(dir);
  servers.push(ca);
  tsaUrl = await authority('tsa-one', [...STAMPING, ca.addresses.crl]);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(dir, { recursive: true });
});
beforeEach(() => ca.answerWith(undefined));

/** Starts a timestamp authority with a certificate of the CA. Returns its URL. */
async function authority(name: string, extensions: readonly string[]): Promise<string> {
  const own = join(dir, name);
  await mkdir(own);
  const tsa = await startTsa(own, undefined, () => ca.issue(own, 'tsa', extensions));
  servers.push(tsa);
  return tsa.url;
}

async function sealerOf(name: string, extensions: readonly string[], tsaUrls = [tsaUrl]): Promise<Sealer> {
  await ca.issue(dir, name, extensions);
  return createSealer({
    key: { kind: 'p12', bytes: await ca.p12(dir, name, PASSWORD), password: PASSWORD },
    tsaUrls,
    tsa: { timeoutMs: 5000, rounds: 1, roots: [root()] },
    validation: { timeoutMs: 2000 },
  });
}

const trustIn = (sealer: Sealer): Trust => ({
  sealers: sealer.identity.chain.slice(0, 1).map((der) => readCertificate(new Uint8Array(der))),
  roots: [root()],
  timestampRoots: [root()],
});

async function storeOf(pdf: Uint8Array): Promise<ValidationData> {
  const reading = await readSeal(fileOf(pdf));
  if (!('seal' in reading) || !reading.seal.validation) throw new Error('the seal has no validation data');
  return reading.seal.validation;
}

describe('a seal with validation data', () => {
  it('is PAdES B-LT in one revision: valid, over the whole file, with all validation data of its certificates', async () => {
    const sealer = await sealerOf('seal-good', [SIGNING, ca.addresses.ocsp]);
    expect(sealer.level).toBe('B-LT');
    const sealed = await sealer.seal(await textPdf('One'));
    expect(sealed.level).toBe('B-LT');
    const verdict = await tool('pdfsig', (file) => [file], sealed.pdf);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Total document signed');
    expect(verdict.match(/Signature #\d/g)).toHaveLength(1);
    expect(await complaints(sealed.pdf)).toBe('');

    const { checks } = await checkSeal(fileOf(sealed.pdf), trustIn(sealer));
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain('revocation');

    const { certificates, ocsps, crls } = await storeOf(sealed.pdf);
    expect(certificates).toHaveLength(3);
    expect([ocsps.length, crls.length]).toEqual([1, 1]);
    // OpenSSL checks the stored data independently.
    const [answer, list] = [join(dir, 'stored.ocsp'), join(dir, 'stored.crl')];
    await Promise.all([writeFile(answer, ocsps[0] ?? ''), writeFile(list, crls[0] ?? '')]);
    const own = ['-CAfile', join(dir, 'ca.crt')];
    const asked = await run('openssl', [
      ...[
        'ocsp',
        '-respin',
        answer,
        '-issuer',
        join(dir, 'ca.crt'),
        '-cert',
        join(dir, 'seal-good.crt'),
        ...own,
      ],
    ]);
    expect(asked.stdout + asked.stderr).toMatch(/: good\n[\s\S]*Response verify OK/);
    const listed = await run('openssl', ['crl', '-inform', 'DER', '-in', list, '-noout', ...own]);
    expect(listed.stdout + listed.stderr).toContain('verify OK');
  });

  it('reuses known revocation answers in the seal, and asks again only about the signer after sealing', async () => {
    const sealer = await sealerOf('seal-many', [SIGNING, ca.addresses.ocsp]);
    await sealer.seal(await textPdf('One'));
    const before = ca.count();
    await sealer.seal(await textPdf('Two'));
    expect(ca.count()).toBe(before + 1);
  });

  it('is not returned if the certificate was revoked meanwhile or its status is unavailable', async () => {
    const longTermOf = async (name: string) => {
      await ca.issue(dir, name, [SIGNING, ca.addresses.ocsp]);
      const own = new X509Certificate(await readFile(join(dir, `${name}.crt`)));
      return createLongTerm({
        chain: [readCertificate(new Uint8Array(own.raw)), root()],
        timestamper: createTimestamper({ urls: [tsaUrl], timeoutMs: 5000, rounds: 1, roots: [root()] }),
        roots: [root()],
        validation: { timeoutMs: 2000 },
      });
    };
    const digest = new Uint8Array(32);
    const sealing = (meanwhile: () => unknown) => async (_: unknown, tsa: TimestampAuthority) => {
      await tsa.timestamp(digest, 'SHA-256');
      await meanwhile();
      return 'sealed';
    };
    expect(await (await longTermOf('seal-kept')).seal(sealing(() => undefined))).toBe('sealed');
    const revoked = await longTermOf('seal-lost');
    const revoke = () => ca.revoke(join(dir, 'seal-lost.crt'));
    await expect(revoked.seal(sealing(revoke))).rejects.toMatchObject({ code: 'key_invalid' });
    const alone = await longTermOf('seal-left-alone');
    const silence = () => ca.answerWith('nothing');
    await expect(alone.seal(sealing(silence))).rejects.toMatchObject({ code: 'revocation_unavailable' });
  });

  it('is not offered if certificates name no revocation server, or the timestamp cannot be validated', async () => {
    expect((await sealerOf('seal-mute', [SIGNING])).level).toBe('B-T');
    const mute = await authority('tsa-mute', STAMPING);
    const sealer = await sealerOf('seal-muted', [SIGNING, ca.addresses.ocsp], [mute]);
    await expect(sealer.seal(await textPdf('One'))).rejects.toMatchObject({ code: 'revocation_unavailable' });
    // The sealer knows this now, so the next document is composed only once.
    expect(sealer.level).toBe('B-T');
    expect((await sealer.seal(await textPdf('One'))).level).toBe('B-T');
  });

  it('fails with a retryable error if the revocation status is missing or invalid, and never falls back to B-T', async () => {
    const sealer = await sealerOf('seal-alone', [SIGNING, ca.addresses.ocsp]);
    const source = await textPdf('One');
    const other = await sealerOf('seal-other', [SIGNING, ca.addresses.ocsp]);
    const { ocsps } = await storeOf((await other.seal(source)).pdf);
    for (const answer of ['nothing', Buffer.from('nonsense'), Buffer.from(ocsps[0] ?? '')] as const) {
      ca.answerWith(answer);
      await expect(sealer.seal(source)).rejects.toMatchObject({
        code: 'revocation_unavailable',
        retryable: true,
      });
    }
    ca.answerWith(undefined);
    expect((await sealer.seal(source)).level).toBe('B-LT');
  });

  it('is refused with a revoked certificate', async () => {
    const sealer = await sealerOf('seal-revoked', [SIGNING, ca.addresses.ocsp]);
    await ca.revoke(join(dir, 'seal-revoked.crt'));
    await expect(sealer.seal(await textPdf('One'))).rejects.toMatchObject({ code: 'key_invalid' });
    const listed = await sealerOf('seal-listed', [SIGNING, ca.addresses.crl]);
    await ca.revoke(join(dir, 'seal-listed.crt'));
    await expect(listed.seal(await textPdf('One'))).rejects.toMatchObject({ code: 'key_invalid' });
  });
});

describe('incomplete validation data', () => {
  it('is detected, even under a valid seal', async () => {
    await ca.issue(dir, 'seal-bare', [SIGNING, ca.addresses.ocsp]);
    const bytes = await ca.p12(dir, 'seal-bare', PASSWORD);
    const { signer, identity } = await openKey({ kind: 'p12', bytes, password: PASSWORD });
    const [own] = identity.chain.map((der) => readCertificate(new Uint8Array(der)));
    const trust: Trust = { sealers: own ? [own] : [], roots: [root()], timestampRoots: [] };
    const empty = { certificates: [], ocsps: [], crls: [] };
    const failed = async (validation?: ValidationData) => {
      const options = { reason: 'Test', at: new Date(), reserved: 12_288, ...(validation && { validation }) };
      const unsealed = await appendSignature(await textPdf('One'), options);
      const pdf = unsealed.fill(await signDetached(unsealed.digest, signer));
      return (await checkSeal(fileOf(pdf), trust)).checks.filter(({ ok }) => !ok).map(({ name }) => name);
    };
    expect(await failed()).toEqual([]);
    expect(await failed(empty)).toEqual(['revocation']);
  });
});

describe('forged files with validation data', () => {
  it('are refused: the forgeries of any seal, and those of the validation data', async () => {
    const sealer = await sealerOf('seal-forged', [SIGNING, ca.addresses.ocsp]);
    const [one, other] = [await sealer.seal(await textPdf('One')), await sealer.seal(await textPdf('Two'))];
    const text = Buffer.from(one.pdf).toString('latin1');
    const store = /(\d+) 0 obj\n<<\/Type \/DSS\/Certs \[(\d+) 0 R (\d+) 0 R/.exec(text);
    const [, number = '', first = '', second = ''] = store ?? [];
    const stream = text.indexOf('stream\n', text.lastIndexOf('<</Length ')) + 'stream\n'.length;
    const variants = [
      ...forgeriesOf(one.pdf, other.pdf),
      {
        name: 'no store',
        pdf: replace(one.pdf, `/DSS ${number} 0 R`, ' '.repeat(`/DSS ${number} 0 R`.length)),
      },
      {
        name: 'a certificate twice',
        pdf: replace(one.pdf, `[${first} 0 R ${second} 0 R`, `[${first} 0 R ${first} 0 R`),
      },
      { name: 'no lists', pdf: replace(one.pdf, '/CRLs [', '/CRLz [') },
      { name: 'another stream', pdf: splice(one.pdf, stream, stream + 1, '1') },
    ];
    expect(variants.length).toBeGreaterThan(150);
    const trust = trustIn(sealer);
    const accepted: string[] = [];
    for (const { name, pdf } of variants) {
      expect({ name, same: Buffer.from(pdf).equals(one.pdf) }).toEqual({ name, same: false });
      if ((await checkSeal(fileOf(pdf), trust)).checks.every(({ ok }) => ok)) accepted.push(name);
    }
    expect(accepted).toEqual([]);
  });
});

describe('revocation data', () => {
  it('counts only for its own certificate, from its own issuer, unchanged, and in its time', async () => {
    const sealer = await sealerOf('seal-judged', [SIGNING, ca.addresses.ocsp]);
    const values = await storeOf((await sealer.seal(await textPdf('One'))).pdf);
    const [own] = trustIn(sealer).sealers;
    if (!own) throw new Error('no certificate');
    const chain = [own, root()];
    const now = new Date();
    expect(await revocationFault(chain, { values, at: now })).toBe('');
    const later = new Date(now.getTime() + 3 * 24 * 3600 * 1000);
    expect(await revocationFault(chain, { values, at: later })).toMatch(/nothing tells/);
    const earlier = new Date(now.getTime() - 24 * 3600 * 1000);
    expect(await revocationFault(chain, { values, at: earlier })).toMatch(/nothing tells/);
    const none = { ocsps: [], crls: [] };
    expect(await revocationFault(chain, { values: none, at: now })).toMatch(/nothing tells/);
    // Any changed byte of the signed data or its signature makes it invalid.
    const [answer] = values.ocsps;
    if (!answer) throw new Error('no answer');
    const typed = readDer(answer).children[1]?.children[0]?.children[1];
    const basic = readDer(typed?.value ?? answer);
    const behind = basic.children[3]?.bytes.length ?? 0; // the responder's certificate, which is not needed
    const accepted: number[] = [];
    for (let at = 0; at < answer.length - behind; at += 3) {
      const changed = Uint8Array.from(answer);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const fault = await revocationFault(chain, { values: { ocsps: [changed], crls: [] }, at: now });
      if (fault === '') accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });
});
