/** Encrypts dumps to age recipients, so that a machine that makes backups cannot read them. */
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { BackupError } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array>;

// Node's web streams have a second, incompatible declaration in TypeScript.
const toWeb = (source: Bytes) =>
  Readable.toWeb(Readable.from(source, { objectMode: false })) as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as NodeStream);

export type Seal = (source: Bytes) => AsyncGenerator<Uint8Array>;
/** Decrypts a file. @throws BackupError if no identity opens it */
export type Unseal = (file: string) => Promise<Readable>;

/** Encrypts to the recipients `age1…,age1…` of `BACKUP_RECIPIENTS`. @throws BackupError if one is invalid */
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

/** Decrypts with the identities of an age file. @throws BackupError if it is missing or invalid */
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

/** Writes a new identity into a new file that only its owner can read, and returns the recipient. */
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
