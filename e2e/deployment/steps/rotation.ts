/** Passwords of databases, broker and cache, and the certificates of the database and of the front, replaced while people read. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import { Client } from 'pg';
import type { Release } from '../images.ts';
import { HOST, type Installation } from '../installation.ts';
import { underLoad } from './load.ts';
import type { Sealed } from './sealed.ts';

/** Entries of the store with passwords, in the order in which they are replaced. */
const ENTRIES = ['postgres', 'nats', 'valkey'];
/** A role whose old password is tried afterwards. */
const ROLE = 'karaar_wallet_app';
/** What PostgreSQL says to a wrong password. */
const WRONG_PASSWORD = '28P01';

const passwordOf = ({ secretOf }: Installation): string =>
  new URL(secretOf('wallet')['DATABASE_URL'] ?? '').password;

/**
 * Gives every user of the databases, the broker and the cache another password, one kind after the other, as the runbook has it:
 * the store first, then the server, then the services.
 *
 * @param width Deployments that are replaced at a time
 * @returns how many calls failed meanwhile. @throws Error when a call failed, or an old password is still taken
 */
export async function rotatePasswords(
  installation: Installation,
  release: Release,
  { owner }: Sealed,
  width: number,
): Promise<string> {
  const old = passwordOf(installation);
  const said: string[] = [];
  for (const entry of ENTRIES) {
    const reading = await underLoad(installation, owner, 'reading', async () => {
      installation.changeEntry(entry, () => randomBytes(18).toString('hex'));
      await installation.apply(release, width);
    });
    said.push(`${entry}: ${reading}`);
  }
  const { code } = await signIn(installation, old);
  if (code !== WRONG_PASSWORD) throw new Error(`the old password of ${ROLE} answered ${code}`);
  return said.join('; ');
}

/** @returns the code with which PostgreSQL refuses the password, or `ok`, and the certificate that it shows */
async function signIn({ databaseAddress: host, authority }: Installation, password: string) {
  let fingerprint = '';
  const ssl = {
    ca: authority.certificate,
    checkServerIdentity: (_: string, shown: { fingerprint256: string }) => {
      fingerprint = shown.fingerprint256;
      return undefined;
    },
  };
  const client = new Client({ host, user: ROLE, database: ROLE.replace(/_app$/, ''), password, ssl });
  try {
    await client.connect();
    return { code: 'ok', fingerprint };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error), fingerprint };
  } finally {
    await client.end().catch(() => undefined); // one that was refused has ended
  }
}

/** Other certificates for the front and for PostgreSQL, which read them without a restart. @throws Error when the old one is still shown, or a call failed */
export async function rotateCertificates(installation: Installation, { owner }: Sealed): Promise<string> {
  const before = await shown(installation);
  const calls = await underLoad(installation, owner, 'everything', () => installation.renewCertificates());
  const after = await shown(installation);
  for (const server of ['front', 'database'] as const)
    if (after[server] === before[server]) throw new Error(`the ${server} shows its old certificate`);
  return calls;
}

/** The certificates that callers see now. */
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
