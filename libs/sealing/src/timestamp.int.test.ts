import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { readCertificate, type Certificate } from '@karaar/proof/seal/certificate';
import { textPdf } from '@karaar/testing/made-up/files';
import { complaints, tool } from '@karaar/testing/pdf-judges';
import { createSealer } from './seal.ts';
import { takeApart } from './testing/signature.ts';
import { type LocalTsa, startTsa } from './testing/tsa.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const TIMESTAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const DEAD = 'http://127.0.0.1:9/tsr';
const QUICK = { timeoutMs: 5000, rounds: 2, pauseMs: 20 };

let dir: string;
const servers: { close(): void }[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-tsa-'));
});

afterAll(async () => {
  for (const server of servers) server.close();
  await rm(dir, { recursive: true });
});

async function tsa(name: string, answer?: Parameters<typeof startTsa>[1]): Promise<LocalTsa> {
  await mkdir(join(dir, name));
  const server = await startTsa(join(dir, name), answer);
  servers.push(server);
  return server;
}

const sealerWith = (tsaUrls: string[], tsaOptions: typeof QUICK & { roots?: Certificate[] } = QUICK) =>
  createSealer({ key: { kind: 'dev', stateDir: dir }, tsaUrls, tsa: tsaOptions });

describe('a seal with a timestamp', () => {
  it('[FINAL-025] is PAdES B-T with a configured authority, and reports this level', async () => {
    const authority = await tsa('good');
    const sealer = await sealerWith([authority.url]);
    expect(sealer.level).toBe('B-T');
    const sealed = await sealer.seal(await textPdf('One'));
    expect(sealed.level).toBe('B-T');
    const verdict = await tool('pdfsig', (file) => [file], sealed.pdf);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Total document signed');
    expect(await complaints(sealed.pdf)).toBe('');

    // The token covers the signature's value, and OpenSSL verifies it against the authority.
    const [signer] = takeApart(sealed.pdf).signed.signerInfos;
    const attribute = signer?.unsignedAttrs?.attributes.find((a) => a.type === TIMESTAMP_TOKEN);
    const token = Buffer.from(attribute?.values[0].toBER() ?? '');
    await writeFile(join(dir, 'token.der'), token);
    const digest = createHash('sha256')
      .update(Buffer.from(signer?.signature.getValue() ?? new ArrayBuffer(0)))
      .digest('hex');
    const verify = (hex: string): Promise<{ stdout: string; stderr: string }> =>
      run('openssl', [
        ...['ts', '-verify', '-digest', hex, '-in', join(dir, 'token.der'), '-token_in'],
        ...['-CAfile', join(dir, 'good', 'tsa.crt'), '-partial_chain'],
      ]);
    const { stdout, stderr } = await verify(digest);
    expect(stdout + stderr).toContain('Verification: OK');
    await expect(verify('00'.repeat(32))).rejects.toThrow();
  });

  it('comes from the next authority when one is down', async () => {
    const authority = await tsa('second');
    const sealer = await sealerWith([DEAD, authority.url]);
    expect((await sealer.seal(await textPdf('One'))).level).toBe('B-T');
    expect(authority.count()).toBe(1);
  });

  it('comes from a later round when all were down at first', async () => {
    let tries = 0;
    const authority = await tsa('late', (reply) => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return reply;
    });
    expect((await (await sealerWith([authority.url])).seal(await textPdf('One'))).level).toBe('B-T');
    expect(tries).toBe(2);
  });

  it('is required: without an authority sealing fails with a retryable error, and B-B must be requested', async () => {
    const sealer = await sealerWith([DEAD]);
    const source = await textPdf('One');
    await expect(sealer.seal(source)).rejects.toMatchObject({ code: 'tsa_unavailable', retryable: true });
    expect((await sealer.seal(source, { level: 'B-B' })).level).toBe('B-B');
  });

  it('is refused from an authority that answers for other data, with an old answer, or with invalid data', async () => {
    let old: Buffer | undefined;
    const replay = await tsa('replay', (reply) => (old ??= reply));
    const sealer = await sealerWith([replay.url], { ...QUICK, rounds: 1 });
    expect((await sealer.seal(await textPdf('One'))).level).toBe('B-T');
    await expect(sealer.seal(await textPdf('Two'))).rejects.toMatchObject({ code: 'tsa_unavailable' });
    await expect(sealer.seal(await textPdf('Two'))).rejects.toThrow(/other data/);

    const nonsense = await tsa('nonsense', () => Buffer.from('hello'));
    await expect((await sealerWith([nonsense.url])).seal(await textPdf('One'))).rejects.toMatchObject({
      code: 'tsa_unavailable',
    });

    const refusal = await tsa('refusal', async (_, query) => {
      // OpenSSL refuses an unknown digest algorithm.
      const file = (name: string): string => join(dir, 'refusal', name);
      await writeFile(
        file('bad.tsq'),
        Buffer.from(query.toString('hex').replace('0609608648016503040201', '0609608648016503040209'), 'hex'),
      );
      await run('openssl', [
        'ts',
        '-reply',
        '-config',
        file('tsa.cnf'),
        '-section',
        'tsa_config',
        '-queryfile',
        file('bad.tsq'),
        '-out',
        file('bad.tsr'),
      ]);
      return readFile(file('bad.tsr'));
    });
    await expect((await sealerWith([refusal.url])).seal(await textPdf('One'))).rejects.toThrow(/refused/);
  });

  it('is accepted only from a trusted authority, if roots are given', async () => {
    const [stranger, known] = [await tsa('stranger'), await tsa('known')];
    const root = readCertificate(new Uint8Array(new X509Certificate(known.certificate).raw));
    const both = await sealerWith([stranger.url, known.url], { ...QUICK, roots: [root] });
    expect((await both.seal(await textPdf('One'))).level).toBe('B-T');
    expect([stranger.count(), known.count()]).toEqual([1, 1]);
    const alone = await sealerWith([stranger.url], { ...QUICK, rounds: 1, roots: [root] });
    await expect(alone.seal(await textPdf('One'))).rejects.toThrow(/not one that we trust/);
  });

  it('does not wait for an authority that never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    servers.push({ close: () => (silent.closeAllConnections(), silent.close()) });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const sealer = await sealerWith([url], { timeoutMs: 300, rounds: 2, pauseMs: 10 });
    const started = Date.now();
    await expect(sealer.seal(await textPdf('One'))).rejects.toMatchObject({ code: 'tsa_unavailable' });
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
