/** The manifest of a backup, and the check of its files. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Table = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
  file: Type.String(),
  /** Hash of the encrypted file. */
  sha256: Sha256,
  /** For a table that is partitioned by time. */
  partitions: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), from: Type.String(), to: Type.String() })),
  ),
});
export type Table = Static<typeof Table>;

const Database = Type.Object({
  service: Type.String(),
  migrations: Type.Array(Type.String()),
  /** Each table comes after those that it references. */
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String() })),
});
export type Database = Static<typeof Database>;

export const Manifest = Type.Object({
  format: Type.Literal(2),
  takenAt: Type.String(),
  databases: Type.Array(Database),
  /** Number of files, and the hash of their list in the format of `sha256sum`. */
  files: Type.Object({ count: Type.Integer({ minimum: 0 }), sha256: Sha256 }),
});
export type Manifest = Static<typeof Manifest>;

/** The backup is damaged, or cannot be made or restored here. */
export class BackupError extends Error {}

export const MANIFEST = 'manifest.json';

/** @throws BackupError if the manifest is missing or invalid */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Value.Parse(Manifest, JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')));
  } catch (cause) {
    throw new BackupError(`${folder} holds no complete backup`, { cause });
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws BackupError if the file is missing or has another hash */
export async function expectHash(folder: string, file: string, sha256: string): Promise<void> {
  const found = await sha256Of(join(folder, file)).catch(() => undefined);
  if (found !== sha256) throw new BackupError(`${file} is not what was backed up`);
}
