/** `karaar rotate-seal`. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '@karaar/base/config';
import { UsageError, type Command, type Env } from '@karaar/bus/commands';
import { keyFaults, openKey, ownSeal, SealError, type SealKey } from '@karaar/sealing';
import {
  configuredKey,
  readCertificates,
  rememberCertificate,
  SealConfig,
  type Database,
} from '@karaar/service-documents/ops';
import { composeLine } from './secrets/compose-line.ts';
import { databaseOf, withDatabase } from './databases.ts';

const USAGE = `rotate-seal --p12 FILE | --pkcs11 | --own HOST, and [--password-file FILE] [--into compose.env]
  --p12 FILE            a bought key; its password in SEAL_P12_PASSWORD or a file (/dev/stdin reads it from a prompt)
  --pkcs11              a key on a device, by the variables SEAL_PKCS11_… of documents; the PIN as the password
  --own HOST            another key of the installation's own authority
  --into compose.env    writes SEAL_P12 and SEAL_P12_PASSWORD into this file when all checks have passed`;

/**
 * Opens a key as documents does, checks it, seals a page with it, and only then remembers its certificate, so
 * that processes with the old key can verify it.
 * @throws UsageError with every fault of the key and its remedy, or if the key has sealed before
 */
export const rotateSeal: Command['run'] = async (args, env) => {
  const { values } = parseArgs({
    args,
    options: {
      p12: { type: 'string' },
      pkcs11: { type: 'boolean' },
      own: { type: 'string' },
      'password-file': { type: 'string' },
      into: { type: 'string' },
    },
  });
  const { p12, pkcs11, own, into } = values;
  if ([p12, pkcs11, own].filter(Boolean).length !== 1 || (pkcs11 && into)) throw new UsageError(USAGE);
  const file = values['password-file'];
  // Not an argument, because every user of the machine can see a command line.
  const password = file && (await readGiven(file)).toString('utf8').replace(/\r?\n$/, '');
  const given = own ? await ownSeal(own) : p12 ? await ofFile(p12, password ?? env['SEAL_P12_PASSWORD']) : {};
  const device = {
    SEAL_P12: undefined,
    SEAL_P12_FILE: undefined,
    ...(password ? { SEAL_PKCS11_PIN: password } : {}),
  };
  const { identity } = await checkedKey({
    ...env,
    ...(pkcs11 ? device : { SEAL_PKCS11_MODULE: undefined, ...given }),
  });
  const put = into ? await prepared(into, given) : undefined;
  const before = await publish(env, identity).catch(async (error: unknown) => {
    await put?.drop();
    throw error;
  });
  await put?.finish();
  const name = `${identity.signer}, valid until ${identity.notAfter.toISOString().slice(0, 10)}`;
  return [
    `${name}, passed every check and a test seal. It is known now, with ${before} that sealed before.`,
    ...(identity.ownAuthority ? ['PDF readers do not know its authority; /verify and the receipt do.'] : []),
    into
      ? `${into} has it. Start documents again: what was sealed stays valid.`
      : `Replace ${pkcs11 ? 'the variables SEAL_PKCS11_…' : 'SEAL_P12 and SEAL_P12_PASSWORD'} and roll documents: what was sealed stays valid.`,
  ].join('\n');
};

const readGiven = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  });

const ofFile = async (file: string, password = '') => ({
  SEAL_P12: (await readGiven(file)).toString('base64'),
  SEAL_P12_PASSWORD: password,
});

/** Opens the key that the variables name. @throws UsageError with every fault of it */
async function checkedKey(env: Env): Promise<SealKey> {
  try {
    const source = await configuredKey(loadConfig(SealConfig, env));
    if (!source) throw new UsageError('The file is empty, or SEAL_PKCS11_MODULE is not set.');
    const key = await openKey(source);
    const faults = await keyFaults(key);
    if (faults.length === 0) return key;
    const lines = faults.map(({ cause, remedy }) => `- ${cause} ${remedy}`);
    throw new UsageError(
      [`${key.identity.signer} was not put in; nothing was changed.`, ...lines].join('\n'),
    );
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const remedy =
      error.code === 'key_unavailable'
        ? 'Check SEAL_PKCS11_MODULE, SEAL_PKCS11_TOKEN, SEAL_PKCS11_KEY_ID and the PIN. '
        : '';
    throw new UsageError(`${error.message} ${remedy}Nothing was changed.`);
  }
}

/** Returns the number of certificates that were known. @throws UsageError if this is one of them */
const publish = (env: Env, { signer, certFingerprint, chain }: SealKey['identity']): Promise<number> =>
  withDatabase<Database, number>(databaseOf(env, 'documents'), async (db) => {
    const known = await readCertificates(db);
    const [own] = chain;
    if (known.some(([one]) => own !== undefined && one?.equals(own) === true))
      throw new UsageError(`${signer} has sealed here before: this is not another key`);
    await rememberCertificate(db, certFingerprint, chain);
    return known.length;
  });

/**
 * Writes the file with the new values next to the old one, so that only a rename is left.
 * @throws UsageError if the file cannot be changed, or a value cannot be in it
 */
async function prepared(file: string, values: Readonly<Record<string, string>>) {
  const changed = Object.entries(values).map(([name, value]) => composeLine(name, value));
  const old = (await readGiven(file)).toString('utf8');
  const kept = old.split('\n').filter((line) => line !== '' && !/^SEAL_P12(_PASSWORD)?=/.test(line));
  const lines = [...kept, ...changed];
  const next = `${file}.next`;
  try {
    await writeFile(next, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new UsageError(
      `${next} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  return { finish: () => rename(next, file), drop: () => rm(next) };
}
