/** An authority of the test's own, and certificates by it. Keys and certificates are PEM. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';

export type KeyPair = { key: string; certificate: string };

/** A certificate for a host, or without an authority that of a new authority. */
export async function certify(folder: string, name: string, authority?: KeyPair): Promise<KeyPair> {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'certificate-'));
  const file = (part: string) => join(work, part);
  let by = ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign'].flatMap(extension);
  if (authority) {
    writeFileSync(file('ca.key'), authority.key, { mode: 0o600 });
    writeFileSync(file('ca.pem'), authority.certificate);
    const extensions = ['basicConstraints=critical,CA:false', `subjectAltName=DNS:${name}`];
    by = [...extensions, 'extendedKeyUsage=serverAuth'].flatMap(extension);
    by.push('-CA', file('ca.pem'), '-CAkey', file('ca.key'));
  }
  try {
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-subj', `/CN=${name}`, '-keyout', file('key.pem'), '-out', file('crt.pem'), ...by],
    ]);
    return { key: readFileSync(file('key.pem'), 'utf8'), certificate: readFileSync(file('crt.pem'), 'utf8') };
  } finally {
    rmSync(work, { recursive: true });
  }
}

const extension = (text: string): string[] => ['-addext', text];
