/**
 * A sealing key that never leaves its device (PKCS#11): a hardware module, a smart card, SoftHSM. OpenSC's
 * `pkcs11-tool` signs in its own process, so that the vendor's library is never loaded into this one and a
 * crash there costs only one signature.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Signer } from '@libpdf/core';
import { SealError } from './errors.ts';

const run = promisify(execFile);

export interface Pkcs11Options {
  /** Path of OpenSC's pkcs11-tool, or its name on the PATH. */
  tool: string;
  module: string;
  token: string;
  /** Identifier of the private key on the token, hex. */
  keyId: string;
  pin: string;
  /** PEM of the key's certificate, then of its issuers. */
  certificates: string;
  /** The tool's whole environment: what tool and library need to find their files and configuration. */
  env: Record<string, string>;
  /** Milliseconds for one signature. */
  timeoutMs?: number;
}

const PIN_VARIABLE = 'KARAAR_SEAL_PIN';
const MAX_OUTPUT = 64 * 1024;

/**
 * Opens the device and signs once, so that a wrong PIN, key or certificate fails here.
 * @throws SealError
 */
export async function openPkcs11(options: Pkcs11Options): Promise<Signer> {
  const [own, ...above] = certificatesOf(options.certificates);
  if (!own) throw new SealError('key_invalid', 'There is no certificate for the sealing key.');
  const keyType = own.publicKey.asymmetricKeyType;
  if (keyType !== 'ec' && keyType !== 'rsa')
    throw new SealError('key_invalid', 'The sealing certificate is for a kind of key that is not supported.');
  const signer: Signer = {
    certificate: new Uint8Array(own.raw),
    certificateChain: above.map(({ raw }) => new Uint8Array(raw)),
    keyType: keyType === 'ec' ? 'EC' : 'RSA',
    signatureAlgorithm: keyType === 'ec' ? 'ECDSA' : 'RSASSA-PKCS1-v1_5',
    async sign(data, algorithm) {
      if (algorithm !== 'SHA-256') throw new SealError('seal_failed', 'Seals are made with SHA-256.');
      const signature = await signOnDevice(options, keyType, data);
      // Some tools silently use another key if they do not find the named one.
      if (!verify('sha256', data, own.publicKey, signature))
        throw new SealError(
          'key_invalid',
          'The key on the device is not that of the sealing certificate, which must be the first one.',
        );
      return signature;
    },
  };
  await signer.sign(randomBytes(32), 'SHA-256');
  return signer;
}

function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    throw new SealError('key_invalid', 'The certificates of the sealing key cannot be read.', cause);
  }
}

async function signOnDevice(
  options: Pkcs11Options,
  keyType: 'ec' | 'rsa',
  data: Uint8Array,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-seal-')); // mode 0700; the data to sign is not secret
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const how =
    keyType === 'ec'
      ? ['--mechanism', 'ECDSA', '--signature-format', 'openssl']
      : ['--mechanism', 'SHA256-RSA-PKCS'];
  try {
    await writeFile(input, keyType === 'ec' ? createHash('sha256').update(data).digest() : data);
    await run(
      options.tool,
      [
        ...['--module', options.module, '--token-label', options.token, '--id', options.keyId],
        // In the environment, because every user of the machine can read arguments.
        ...['--login', '--pin', `env:${PIN_VARIABLE}`, '--sign', ...how],
        ...['--input-file', input, '--output-file', output],
      ],
      {
        env: { ...options.env, [PIN_VARIABLE]: options.pin },
        timeout: options.timeoutMs ?? 10_000,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT,
      },
    );
    return new Uint8Array(await readFile(output));
  } catch (cause) {
    throw new SealError(
      'key_unavailable',
      `The device with the sealing key did not sign: ${reasonOf(cause)}.`,
      cause,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The usual reasons, by the words of OpenSC's tool and of the system. */
const REASONS: readonly [RegExp, string][] = [
  [/CKR_PIN_LOCKED/, 'its PIN is locked'],
  [/CKR_PIN_/, 'it refuses the PIN'],
  [/private key not found/i, 'it has no private key of this id'],
  [/no slot with token named/i, 'the device has no token with this label'],
  [/failed to load pkcs11 module/i, 'its library cannot be loaded'],
  [/spawn .* ENOENT/, "OpenSC's pkcs11-tool is missing"],
];

const reasonOf = (cause: unknown): string =>
  REASONS.find(([pattern]) => pattern.test(String(cause)))?.[1] ?? 'it does not answer, or its tool fails';
