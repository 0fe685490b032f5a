import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export type ServerCertificate = { key: Buffer; cert: Buffer };

/** A certificate authority that exists as long as its folder. */
export type Authority = {
  /** Path of its own certificate, PEM. */
  certificateFile: string;
  /**
   * Issues a certificate. @param names in the form of the extension: `DNS:localhost`, `IP:127.0.0.1`
   * @param days validity from now; a negative number makes an expired one
   */
  issue(names: readonly string[], days?: number): Promise<ServerCertificate>;
};

/** Creates an authority with OpenSSL in an empty folder. */
export async function createAuthority(folder: string): Promise<Authority> {
  const file = (name: string): string => join(folder, name);
  await run('openssl', [
    ...['req', '-x509', ...EC, '-subj', '/CN=Throw-away CA', '-days', '2'],
    ...['-keyout', file('ca.key'), '-out', file('ca.crt')],
  ]);
  let issued = 0;
  return {
    certificateFile: file('ca.crt'),
    issue: async (names, days = 1) => {
      issued += 1;
      const own = (kind: string): string => file(`${issued}.${kind}`);
      const paths = { key: own('key'), csr: own('csr'), cert: own('crt'), extensions: own('cnf') };
      await writeFile(paths.extensions, `subjectAltName = ${names.join(', ')}\n`);
      await run('openssl', [
        ...['req', '-new', ...EC, '-subj', '/CN=service'],
        ...['-keyout', paths.key, '-out', paths.csr],
      ]);
      await run('openssl', [
        ...['x509', '-req', '-in', paths.csr, '-CA', file('ca.crt'), '-CAkey', file('ca.key')],
        ...['-CAcreateserial', '-days', String(days), '-extfile', paths.extensions, '-out', paths.cert],
      ]);
      return { key: await readFile(paths.key), cert: await readFile(paths.cert) };
    },
  };
}
