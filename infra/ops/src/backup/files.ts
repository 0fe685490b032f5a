/** Copies encrypted files and their wrapped keys, which are useless without BLOB_KEK. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { blobEnv } from '@karaar/storage/blobs';
import type { Env } from '@karaar/bus/commands';
import { loadConfig } from '@karaar/base/config';
import { Type } from 'typebox';
import { BackupError, expectHash, sha256Of, type Manifest } from './manifest.ts';

/** A folder or a bucket with files. Names are paths with slashes. */
type FileStore = {
  list(): AsyncIterable<string>;
  read(name: string): Promise<Readable>;
  write(name: string, from: string): Promise<void>;
};

const FileEnv = Type.Object({ ...blobEnv, BLOB_KEK: Type.Optional(Type.String()) });

export function fileStoreOf(env: Env): FileStore {
  const config = loadConfig(FileEnv, env);
  const { BLOB_DIR, BLOB_S3_BUCKET, BLOB_S3_ENDPOINT, BLOB_S3_PREFIX } = config;
  if (BLOB_S3_BUCKET !== undefined) {
    const s3 = new S3Client({
      region: config.BLOB_S3_REGION ?? 'us-east-1',
      ...(BLOB_S3_ENDPOINT === undefined ? {} : { endpoint: BLOB_S3_ENDPOINT }),
      forcePathStyle: config.BLOB_S3_PATH_STYLE ?? false,
    });
    return bucketStore(s3, BLOB_S3_BUCKET, BLOB_S3_PREFIX);
  }
  if (BLOB_DIR === undefined) throw new BackupError('BLOB_DIR or BLOB_S3_BUCKET must be set');
  return folderStore(BLOB_DIR);
}

function folderStore(root: string): FileStore {
  return {
    async *list() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = relative(root, join(entry.parentPath, entry.name)).split(sep);
        // The `tmp` folder of a service contains only unfinished writes.
        if (entry.isFile() && path[1] !== 'tmp') yield path.join('/');
      }
    },
    read: async (name) => createReadStream(join(root, name)),
    async write(name, from) {
      const target = join(root, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(createReadStream(from), createWriteStream(target, { mode: 0o600, flush: true }));
    },
  };
}

function bucketStore(client: S3Client, Bucket: string, prefix?: string): FileStore {
  const Prefix = prefix === undefined ? '' : `${prefix}/`;
  return {
    async *list() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key } of Contents) if (Key !== undefined) yield Key.slice(Prefix.length);
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `${Prefix}${name}` }));
      if (!(Body instanceof Readable)) throw new BackupError(`${name} could not be read from the bucket`);
      return Body;
    },
    async write(name, from) {
      const params = { Bucket, Key: `${Prefix}${name}`, Body: createReadStream(from) };
      await new Upload({ client, params }).done();
    },
  };
}

export async function isEmpty(store: FileStore): Promise<boolean> {
  for await (const _ of store.list()) return false;
  return true;
}

const LIST = 'files.sha256';

/** Copies the files that `saved` does not have, and adds them with their hashes. Skips a file that is erased meanwhile. */
export async function saveFiles(store: FileStore, folder: string, saved: Map<string, string>): Promise<void> {
  for await (const name of store.list()) {
    if (saved.has(name)) continue;
    const target = join(folder, 'files', name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await pipeline(await store.read(name), createWriteStream(target, { mode: 0o600 }));
    } catch (error) {
      if (isGone(error)) continue;
      throw error;
    }
    saved.set(name, await sha256Of(target));
  }
}

/** Writes the list of hashes, and returns its own hash. */
export async function listFiles(folder: string, saved: Map<string, string>): Promise<Manifest['files']> {
  const lines = [...saved].map(([name, sha256]) => `${sha256}  files/${name}\n`).sort();
  await writeFile(join(folder, LIST), lines.join(''), { mode: 0o600 });
  return { count: saved.size, sha256: await sha256Of(join(folder, LIST)) };
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ENOENT') || error.name === 'NoSuchKey');

/** Checks every file against the list and returns the names. @throws BackupError for a wrong file */
export async function checkFiles(
  folder: string,
  expected: { count: number; sha256: string },
): Promise<string[]> {
  await expectHash(folder, LIST, expected.sha256);
  const lines = (await readFile(join(folder, LIST), 'utf8')).split('\n').filter((line) => line !== '');
  const names: string[] = [];
  for (const line of lines) {
    const [sha256 = '', file = ''] = line.split('  ');
    await expectHash(folder, file, sha256);
    names.push(file.slice('files/'.length));
  }
  return names;
}
