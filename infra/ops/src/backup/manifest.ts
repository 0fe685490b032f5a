/** What a backup says of itself, and how its files are believed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
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
  /** Of the file as it lies, encrypted. */
  sha256: Sha256,
  /** Of a table divided by time; both ends are times. */
  partitions: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), from: Type.String(), to: Type.String() })),
  ),
});
export type Table = Static<typeof Table>;

const Database = Type.Object({
  service: Type.String(),
  /** Names of the migrations that had been applied, in order. */
  migrations: Type.Array(Type.String()),
  /** In an order in which each table comes after those it refers to. */
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String() })),
});
export type Database = Static<typeof Database>;

export const Manifest = Type.Object({
  /** 2: dumps are encrypted. */
  format: Type.Literal(2),
  takenAt: Type.String(),
  databases: Type.Array(Database),
  /** The list of files with their hashes, as `sha256sum` writes it. */
  files: Type.Object({ count: Type.Integer({ minimum: 0 }), sha256: Sha256 }),
});
export type Manifest = Static<typeof Manifest>;

/** The backup does not hold what it says, or cannot be taken here. */
export class BackupError extends Error {}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`, {
    mode: 0o600,
  });
}

/** @throws BackupError when there is none, or one that cannot be read */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Value.Parse(Manifest, JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  } catch (cause) {
    throw new BackupError(`${folder} holds no complete backup`, { cause });
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws BackupError when a file is not what was written */
export async function expectHash(folder: string, file: string, sha256: string): Promise<void> {
  const found = await sha256Of(join(folder, file)).catch(() => undefined);
  if (found !== sha256) throw new BackupError(`${file} is not what was backed up`);
}
