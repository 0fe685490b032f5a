/** `karaar rotate-seal`. */
import { readFile } from 'node:fs/promises';
import { UsageError, type Command } from '@karaar/bus/commands';
import { openKey } from '@karaar/sealing';
import { readCertificates, rememberCertificate, type Database } from '@karaar/service-documents/ops';
import { databaseOf, withDatabase } from './databases.ts';
import { optionOf } from './option.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A certificate that is valid for a shorter time would soon need another rotation. */
const MIN_DAYS = 14;

/**
 * Opens a key as documents does and remembers its certificate, so that processes with the old key can verify
 * it.
 * @throws UsageError or SealError if the service would refuse the key
 */
export const rotateSeal: Command['run'] = async (args, env) => {
  const file = optionOf(args, 'p12', 'rotate-seal --p12 FILE, its password in SEAL_P12_PASSWORD');
  // Not an argument, because every user of the machine can see a command line.
  const password = env['SEAL_P12_PASSWORD'] ?? '';
  const { identity } = await openKey({ kind: 'p12', bytes: await readFile(file), password });
  const { signer, notAfter, chain } = identity;
  const days = Math.floor((notAfter.getTime() - Date.now()) / DAY_MS);
  if (days < MIN_DAYS) throw new UsageError(`The certificate of ${signer} ends in ${days} days`);
  const before = await withDatabase<Database, number>(databaseOf(env, 'documents'), async (db) => {
    const known = await readCertificates(db);
    const [own] = chain;
    if (known.some(([one]) => own !== undefined && one?.equals(own) === true))
      throw new UsageError(`${signer} has sealed here before: this is not another key`);
    await rememberCertificate(db, identity.certFingerprint, chain);
    return known.length;
  });
  return [
    `${signer}, valid until ${notAfter.toISOString().slice(0, 10)}, is known now, beside ${before} that sealed before.`,
    'Replace SEAL_P12 and SEAL_P12_PASSWORD and roll documents: what was sealed stays valid.',
  ].join('\n');
};
