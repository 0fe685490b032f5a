/**
 * Dumps are encrypted to recipients (age, https://age-encryption.org/v1): a machine that makes backups can read none, and whoever
 * finds one has noise. The identity that opens them is kept apart from both.
 */
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { BackupError } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array>;

// Node's streams of the web are those of the web; TypeScript has a declaration for each.
const toWeb = (source: Bytes) =>
  Readable.toWeb(Readable.from(source, { objectMode: false })) as unknown as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as unknown as NodeStream);

/** Turns a stream into an encrypted one. */
export type Seal = (source: Bytes) => AsyncGenerator<Uint8Array>;
/** Opens an encrypted file. Throws BackupError for one that its identities do not open. */
export type Unseal = (file: string) => Promise<Readable>;

/**
 * Encrypts to the recipients of `BACKUP_RECIPIENTS`: `age1…`, several with commas.
 * @throws BackupError when there is none, or one is not a recipient
 */
export function sealingTo(recipients: string | undefined): Seal {
  const encrypter = new Encrypter();
  const names = (recipients ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0)
    throw new BackupError(
      'BACKUP_RECIPIENTS must name who can read the backup (age1…); `karaar backup-key --to FILE` makes a pair',
    );
  for (const name of names) {
    try {
      encrypter.addRecipient(name);
    } catch (cause) {
      throw new BackupError('BACKUP_RECIPIENTS holds what is not a recipient of age (age1…)', { cause });
    }
  }
  return async function* seal(source) {
    yield* fromWeb(await encrypter.encrypt(toWeb(source)));
  };
}

/**
 * Decrypts with the identities of a file as age writes it: a line each (`AGE-SECRET-KEY-1…`), others begin with `#`.
 * @throws BackupError without such a file, or when it holds none
 */
export async function unsealingWith(identityFile: string | undefined): Promise<Unseal> {
  if (!identityFile)
    throw new BackupError('BACKUP_IDENTITY_FILE must name the file with the key that opens the backup');
  const text = await readFile(identityFile, 'utf8').catch((cause: unknown) => {
    throw new BackupError('The file that BACKUP_IDENTITY_FILE names cannot be read', { cause });
  });
  const decrypter = new Decrypter();
  const lines = text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : line.trim() || []));
  try {
    if (lines.length === 0) throw new Error('It has no line with a key');
    for (const line of lines) decrypter.addIdentity(line);
  } catch (cause) {
    throw new BackupError('The file that BACKUP_IDENTITY_FILE names holds no identity of age', { cause });
  }
  return async (file) => {
    try {
      return fromWeb(await decrypter.decrypt(toWeb(createReadStream(file))));
    } catch (cause) {
      throw new BackupError(`The key does not open ${file}`, { cause });
    }
  };
}

/** Makes a pair: the identity into a new file, for its owner alone. @returns the recipient */
export async function makeBackupKey(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  try {
    await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new BackupError(`${file} cannot be written: it must be a new file`, { cause });
  }
  return recipient;
}
