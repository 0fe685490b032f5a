/** The same checks by the OpenSSL program: of whole chains, and of one signature. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** @param dir for temporary files; only one check at a time */
export async function openssl(
  dir: string,
  given: {
    root: Uint8Array;
    leaf: Uint8Array;
    others?: readonly Uint8Array[];
    content: Uint8Array;
    at: Date;
  },
) {
  const file = (name: string): string => join(dir, name);
  const pem = (der: Uint8Array): string =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
  await writeFile(file('root.pem'), pem(given.root));
  await writeFile(file('leaf.pem'), pem(given.leaf));
  await writeFile(file('others.pem'), (given.others ?? []).map(pem).join(''));
  await writeFile(file('content'), given.content);
  const trust = ['-CAfile', file('root.pem'), '-attime', String(given.at.getTime() / 1000)];

  async function ask(bytes: Uint8Array, command: string, ...rest: string[]) {
    await writeFile(file('asked.der'), bytes);
    try {
      const { stdout, stderr } = await promisify(execFile)('openssl', [command, ...rest]);
      return { holds: true, said: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
      if (typeof code !== 'number') throw error;
      return { holds: false, said: stdout + stderr };
    }
  }
  const yes = (is: boolean): true | undefined => is || undefined;
  const asked = file('asked.der');

  return {
    certificate: async (bytes: Uint8Array) => {
      const others = given.others?.length ? ['-untrusted', file('others.pem')] : [];
      return yes((await ask(bytes, 'verify', ...trust, ...others, asked)).holds);
    },
    /**
     * Does not check the certificate's chain.
     * @param isApart true if the content is detached
     */
    signature: async (bytes: Uint8Array, isApart: boolean) => {
      const where = isApart ? ['-content', file('content')] : [];
      const how = ['-verify', '-binary', '-noverify', '-inform', 'DER', '-in', asked, '-out', file('out')];
      return yes((await ask(bytes, 'cms', ...how, ...where)).holds);
    },
    timestamp: async (bytes: Uint8Array) => {
      const how = ['-verify', '-token_in', '-in', asked, '-data', file('content')];
      return yes((await ask(bytes, 'ts', ...how, ...trust)).holds);
    },
    /** Returns true if a list is valid, whatever it says about the leaf. */
    list: async (bytes: Uint8Array) => {
      const how = ['-crl_check', '-CRLfile', asked, file('leaf.pem')];
      const { holds, said } = await ask(bytes, 'verify', ...trust, ...how);
      return yes(holds || said.includes('certificate revoked'));
    },
    /** Returns true if an OCSP answer about the leaf is valid, whatever it says. */
    answer: async (bytes: Uint8Array) => {
      const about = [
        '-issuer',
        file('root.pem'),
        '-cert',
        file('leaf.pem'),
        '-verify_other',
        file('root.pem'),
      ];
      const { said } = await ask(bytes, 'ocsp', '-respin', asked, '-no_nonce', ...about, ...trust);
      return yes(said.includes('Response verify OK') && /^(?:\S+leaf\.pem: )?(?:good|revoked)$/m.test(said));
    },
  };
}
