import { readFile } from 'node:fs/promises';
import type { SealConfig } from '../../config.ts';
import { SealError, type KeySource } from '@karaar/sealing';

/** Returns the configured sealing key, or else a development key. */
export const sealKeySource = async (config: SealConfig & { STATE_DIR: string }): Promise<KeySource> =>
  (await configuredKey(config)) ?? { kind: 'dev', stateDir: config.STATE_DIR };

/**
 * Returns the configured sealing key: on a device, or as PKCS#12 from the environment or a mounted secret.
 * Returns undefined for a configuration without a key. @throws SealError if the device's certificates cannot be read
 */
export async function configuredKey(config: SealConfig): Promise<KeySource | undefined> {
  const password = config.SEAL_P12_PASSWORD;
  if (config.SEAL_PKCS11_MODULE)
    return { kind: 'pkcs11', options: await deviceOptions(config, config.SEAL_PKCS11_MODULE) };
  if (config.SEAL_P12) return { kind: 'p12', bytes: Buffer.from(config.SEAL_P12, 'base64'), password };
  if (config.SEAL_P12_FILE) return { kind: 'p12', bytes: await readFile(config.SEAL_P12_FILE), password };
  return undefined;
}

async function deviceOptions(config: SealConfig, module: string) {
  const pairs = config.SEAL_PKCS11_ENV.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    tool: config.SEAL_PKCS11_TOOL,
    module,
    token: config.SEAL_PKCS11_TOKEN,
    keyId: config.SEAL_PKCS11_KEY_ID,
    pin: config.SEAL_PKCS11_PIN,
    certificates: config.SEAL_CERTIFICATES_FILE ? await readChain(config.SEAL_CERTIFICATES_FILE) : '',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(pairs) },
  };
}

const readChain = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new SealError('key_invalid', `SEAL_CERTIFICATES_FILE ${file} cannot be read.`, cause);
  });
