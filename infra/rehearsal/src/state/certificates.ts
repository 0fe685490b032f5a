/** An authority of the rehearsal's own, and certificates by it. Keys and certificates are PEM. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';

export type KeyPair = { key: string; certificate: string };

const DAYS = '30';

export async function makeAuthority(folder: string, name: string): Promise<KeyPair> {
  return within(folder, async (work) => {
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', DAYS],
      ...['-subj', `/CN=${name}`, '-keyout', join(work, 'key.pem'), '-out', join(work, 'crt.pem')],
      ...['-addext', 'basicConstraints=critical,CA:true', '-addext', 'keyUsage=critical,keyCertSign'],
    ]);
    return read(work);
  });
}

/** @param host for which the certificate is */
export async function certify(folder: string, authority: KeyPair, host: string): Promise<KeyPair> {
  return within(folder, async (work) => {
    const file = (name: string) => join(work, name);
    writeFileSync(file('ca.key'), authority.key, { mode: 0o600 });
    writeFileSync(file('ca.pem'), authority.certificate);
    writeFileSync(file('ext'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`);
    await run('openssl', [
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${host}`],
      ...['-keyout', file('key.pem'), '-out', file('request.pem')],
    ]);
    await run('openssl', [
      ...['x509', '-req', '-in', file('request.pem'), '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
      ...['-CAcreateserial', '-days', DAYS, '-extfile', file('ext'), '-out', file('crt.pem')],
    ]);
    return read(work);
  });
}

const read = (work: string): KeyPair => ({
  key: readFileSync(join(work, 'key.pem'), 'utf8'),
  certificate: readFileSync(join(work, 'crt.pem'), 'utf8'),
});

async function within<T>(folder: string, work: (work: string) => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync(join(folder, 'certificate-'));
  try {
    return await work(place);
  } finally {
    rmSync(place, { recursive: true });
  }
}
