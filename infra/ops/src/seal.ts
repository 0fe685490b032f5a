import { readFile } from 'node:fs/promises';
import { UsageError } from '@karaar/bus/commands';
import { openKey, type SealIdentity } from '@karaar/sealing';
import { readCertificates, rememberCertificate, type Database } from '@karaar/service-documents/ops';
import { withDatabase, type ServiceDatabase } from './databases.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A certificate that is valid for a shorter time would soon need another rotation. */
const MIN_DAYS = 14;

type NewSeal = { identity: SealIdentity; certificatesBefore: number };

/**
 * Opens a key as documents does and remembers its certificate, so that processes with the old key can verify
 * it.
 * @throws UsageError or SealError if the service would refuse the key
 */
export async function prepareSeal(
  documents: ServiceDatabase,
  { file, password }: { file: string; password: string },
): Promise<NewSeal> {
  const { identity } = await openKey({ kind: 'p12', bytes: await readFile(file), password });
  const days = Math.floor((identity.notAfter.getTime() - Date.now()) / DAY_MS);
  if (days < MIN_DAYS) throw new UsageError(`The certificate of ${identity.signer} ends in ${days} days`);
  return withDatabase<Database, NewSeal>(documents, async (db) => {
    const known = await readCertificates(db);
    const [own] = identity.chain;
    if (known.some(([one]) => own !== undefined && one?.equals(own) === true))
      throw new UsageError(`${identity.signer} has sealed here before: this is not another key`);
    await rememberCertificate(db, identity.certFingerprint, identity.chain);
    return { identity, certificatesBefore: known.length };
  });
}
