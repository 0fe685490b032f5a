import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { textPdf } from '@karaar/testing/made-up/files';
import { tool } from '@karaar/testing/pdf-judges';
import { openPkcs11, type Pkcs11Options } from './pkcs11.ts';
import { createSealer } from './seal.ts';
import { makeToken } from './testing/softhsm.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
const PIN = '4321-the-pin';
const path = process.env['PATH'] ?? '';
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-pkcs11-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Creates a key pair and its certificate as files. Returns the PEM of the certificate. */
async function certificate(kind: 'ec' | 'rsa', name = 'key'): Promise<string> {
  const key = kind === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : ['rsa:2048'];
  const file = (end: string) => join(dir, `${name}.${end}`);
  await run('openssl', [
    ...['req', '-x509', '-newkey', ...key, '-nodes', '-subj', '/CN=Seal on a device', '-days', '3'],
    ...['-keyout', file('pem'), '-out', file('crt')],
  ]);
  return readFile(file('crt'), 'utf8');
}

describe('a key in SoftHSM', () => {
  /** Creates a token that holds the key as 01 and another key as 02. */
  async function device(kind: 'ec' | 'rsa'): Promise<Pkcs11Options> {
    const certificates = await certificate(kind);
    await certificate(kind, 'other');
    const token = await makeToken(dir, { '01': join(dir, 'key.pem'), '02': join(dir, 'other.pem') });
    return { tool: 'pkcs11-tool', keyId: '01', certificates, ...token };
  }

  it.each(['ec', 'rsa'] as const)('seals: %s', async (kind) => {
    const sealer = await createSealer({ key: { kind: 'pkcs11', options: await device(kind) } });
    expect(sealer.identity).toMatchObject({ signer: 'Seal on a device', ownAuthority: false });
    const verdict = await tool('pdfsig', (file) => [file], (await sealer.seal(await textPdf('One'))).pdf);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Total document signed');
  });

  it('fails at start with a wrong PIN, another key or a missing token, and never reveals the PIN', async () => {
    const options = await device('ec');
    for (const [change, code, words] of [
      [{ pin: 'wrong-pin' }, 'key_unavailable', 'it refuses the PIN'],
      [{ token: 'elsewhere' }, 'key_unavailable', 'the device has no token with this label'],
      [{ keyId: '07' }, 'key_unavailable', 'it has no private key of this id'],
      [{ module: '/nowhere.so' }, 'key_unavailable', 'its library cannot be loaded'],
      [{ tool: '/nowhere' }, 'key_unavailable', "OpenSC's pkcs11-tool is missing"],
      [{ keyId: '02' }, 'key_invalid', 'not that of the sealing certificate'],
      [{ certificates: '' }, 'key_invalid', 'no certificate'],
    ] as const) {
      const fault: unknown = await openPkcs11({ ...options, ...change }).then(
        () => 'opened',
        (error: unknown) => error,
      );
      const message: unknown = expect.stringContaining(words);
      expect([change, fault]).toEqual([change, expect.objectContaining({ code, message })]);
      const errorText =
        JSON.stringify(fault, Object.getOwnPropertyNames(fault)) + String((fault as Error).cause);
      expect(errorText).not.toContain(options.pin);
      expect(errorText).not.toContain('wrong-pin');
    }
  });
});

describe('a device that misbehaves', () => {
  /** Replaces the tool with a script. */
  async function stand(script: string, timeoutMs = 30_000): Promise<Pkcs11Options> {
    const program = join(dir, 'tool');
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o700);
    const certificates = await certificate('ec');
    const env = { PATH: path };
    return {
      tool: program,
      module: 'm',
      token: 't',
      keyId: '01',
      pin: PIN,
      certificates,
      env,
      timeoutMs,
    };
  }
  it('that hangs is stopped, one that signs with another key is detected, and no file is left', async () => {
    // The last argument is the signature's file.
    const note = `for last; do :; done; echo "$last" >> ${join(dir, 'where')}`;
    const started = Date.now();
    await expect(openPkcs11(await stand(`${note}; exec sleep 30`, 3_000))).rejects.toMatchObject({
      code: 'key_unavailable',
    });
    expect(Date.now() - started).toBeLessThan(25_000);
    await expect(openPkcs11(await stand(`${note}; echo nonsense > "$last"`))).rejects.toMatchObject({
      code: 'key_invalid',
    });
    const places = (await readFile(join(dir, 'where'), 'utf8')).trim().split('\n');
    expect(places).toHaveLength(2);
    for (const place of places) expect(existsSync(dirname(place))).toBe(false);
  });

  it('gets the PIN in its environment, never as an argument, and no other variable of ours', async () => {
    const options = await stand(`echo "$@" > ${join(dir, 'args')}; env > ${join(dir, 'env')}; exit 1`);
    await expect(openPkcs11(options)).rejects.toMatchObject({ code: 'key_unavailable' });
    const [args, env] = await Promise.all(['args', 'env'].map((name) => readFile(join(dir, name), 'utf8')));
    expect(args).not.toContain(PIN);
    expect(env).toContain(PIN);
    expect(env).not.toMatch(/^(NODE_|JEST_|HOME=)/m);
  });
});
