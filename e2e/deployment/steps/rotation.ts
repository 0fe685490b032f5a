import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import { Client } from 'pg';
import type { Release } from '../images.ts';
import { HOST, type Installation } from '../installation.ts';
import { underLoad } from './load.ts';
import type { Sealed } from './sealed.ts';

/** The store's entries with passwords. */
const ENTRIES = ['postgres', 'nats', 'valkey'];
const ROLE = 'karaar_wallet_app';
/** PostgreSQL's error code for a wrong password. */
const WRONG_PASSWORD = '28P01';

/** The changes of a password during its rotation, in order: `old,new`, `new,old`, `new`. */
const CHANGES: ((password: string) => string)[] = [
  (old) => `${old},${randomBytes(18).toString('hex')}`,
  (both) => both.split(',').toReversed().join(','),
  (both) => both.replace(/,.*/, ''),
];

const passwordOf = ({ secretOf }: Installation): string => secretOf('postgres-wallet-app')['password'] ?? '';

/**
 * Gives every user of databases, broker and cache a new password, with two valid at a time.
 *
 * @param width number of Deployments that are replaced at a time
 * @throws Error if a call failed, or the old password is still valid
 */
export async function rotatePasswords(
  installation: Installation,
  release: Release,
  { owner }: Sealed,
  width: number,
): Promise<string> {
  const old = passwordOf(installation);
  const calls = await underLoad(installation, owner, 'everything', async () => {
    for (const change of CHANGES) {
      for (const entry of ENTRIES) installation.changeEntry(entry, change);
      await installation.apply(release, width);
    }
  });
  const { code } = await signIn(installation, old);
  if (code !== WRONG_PASSWORD) throw new Error(`the old password of ${ROLE} answered ${code}`);
  return calls;
}

async function signIn({ databaseAddress: host, authority: ca }: Installation, password: string) {
  let fingerprint = '';
  const checkServerIdentity = (_: string, shown: { fingerprint256: string }) => {
    fingerprint = shown.fingerprint256;
    return undefined;
  };
  const database = ROLE.replace(/_app$/, '');
  const client = new Client({ host, user: ROLE, database, password, ssl: { ca, checkServerIdentity } });
  try {
    await client.connect();
    return { code: 'ok', fingerprint };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error), fingerprint };
  } finally {
    await client.end().catch(() => undefined); // a refused connection is closed already
  }
}

/** Renews the certificates of front and PostgreSQL. @throws Error if one has its old one, or a call failed */
export async function rotateCertificates(installation: Installation, { owner }: Sealed): Promise<string> {
  const before = await shown(installation);
  const calls = await underLoad(installation, owner, 'everything', () => installation.renewCertificates());
  const after = await shown(installation);
  for (const server of ['front', 'database'] as const)
    if (after[server] === before[server]) throw new Error(`the ${server} has its old certificate`);
  return calls;
}

async function shown(installation: Installation): Promise<{ front: string; database: string }> {
  const { fingerprint } = await signIn(installation, passwordOf(installation));
  return { front: await frontFingerprint(installation), database: fingerprint };
}

function frontFingerprint({ connecting }: Installation): Promise<string> {
  const socket = connect({ ...connecting(), host: HOST, port: 443, servername: HOST });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    });
  });
}
