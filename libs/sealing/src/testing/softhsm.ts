import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Paths of SoftHSM's library: Debian's link to its architecture folder, and Homebrew's. */
const library = [
  process.env['SOFTHSM2_MODULE'],
  '/usr/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
].find((file) => file !== undefined && existsSync(file));

export interface Token {
  module: string;
  token: string;
  pin: string;
  env: Record<string, string>;
}

/** Creates a SoftHSM token in `dir`. @param keys files of private keys (PEM), by id in hex */
export async function makeToken(dir: string, keys: Readonly<Record<string, string>>): Promise<Token> {
  if (library === undefined)
    throw new Error('SoftHSM is missing: `npm test` at the root installs softhsm2 and opensc');
  const [module, token, pin] = [library, 'karaar', '4321-the-pin'];
  await mkdir(join(dir, 'tokens'));
  await writeFile(join(dir, 'softhsm.conf'), `directories.tokendir = ${join(dir, 'tokens')}\n`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    SOFTHSM2_CONF: join(dir, 'softhsm.conf'),
    LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] ?? '',
  };
  const hsm = (...args: string[]) => run('pkcs11-tool', ['--module', module, ...args], { env });
  await hsm('--init-token', '--slot', '0', '--label', token, '--so-pin', '12345678');
  const officer = ['--login', '--login-type', 'so', '--so-pin', '12345678'];
  await hsm('--token-label', token, ...officer, '--init-pin', '--pin', pin);
  for (const [id, file] of Object.entries(keys)) {
    const der = `${file}.der`;
    await run('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', file, '-outform', 'DER', '-out', der]);
    const store = ['--write-object', der, '--type', 'privkey', '--usage-sign', '--id', id];
    await hsm('--token-label', token, '--login', '--pin', pin, ...store);
  }
  return { module, token, pin, env };
}
