/** The files, as they lie: sealed objects and wrapped keys. Without BLOB_KEK they are noise, in a backup as well. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { loadConfig } from '@karaar/platform/config';
import { blobEnv } from '@karaar/platform/blobs';
import { Type } from 'typebox';
import { BackupError, expectHash, sha256Of } from './manifest.ts';

/** Where files are: a folder or a bucket. Names are paths with slashes. */
export type FileStore = {
  list(): AsyncIterable<string>;
  read(name: string): Promise<Readable>;
  write(name: string, from: string): Promise<void>;
  isEmpty(): Promise<boolean>;
};

const { BLOB_DIR, BLOB_S3_BUCKET, BLOB_S3_PREFIX, BLOB_S3_REGION, BLOB_S3_ENDPOINT, BLOB_S3_PATH_STYLE } =
  blobEnv;
const FileEnv = Type.Object({
  BLOB_DIR,
  BLOB_S3_BUCKET,
  BLOB_S3_PREFIX,
  BLOB_S3_REGION,
  BLOB_S3_ENDPOINT,
  BLOB_S3_PATH_STYLE,
});

/** The store that the services' own environment names. */
export function fileStoreOf(env: Readonly<Record<string, string | undefined>>): FileStore {
  const config = loadConfig(FileEnv, env);
  if (config.BLOB_S3_BUCKET !== undefined) {
    const s3 = new S3Client({
      region: config.BLOB_S3_REGION ?? 'us-east-1',
      ...(config.BLOB_S3_ENDPOINT === undefined ? {} : { endpoint: config.BLOB_S3_ENDPOINT }),
      forcePathStyle: config.BLOB_S3_PATH_STYLE ?? false,
    });
    return bucketStore(s3, config.BLOB_S3_BUCKET, config.BLOB_S3_PREFIX);
  }
  if (config.BLOB_DIR === undefined) throw new BackupError('BLOB_DIR or BLOB_S3_BUCKET must be set');
  return folderStore(config.BLOB_DIR);
}

export function folderStore(root: string): FileStore {
  async function* list(): AsyncGenerator<string> {
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep);
      // Below a service's folder: writes under way, which end or never were.
      if (entry.isFile() && path[1] !== 'tmp') yield path.join('/');
    }
  }
  return {
    list,
    read: async (name) => createReadStream(join(root, name)),
    write: async (name, from) => {
      const target = join(root, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(createReadStream(from), createWriteStream(target, { mode: 0o600, flush: true }));
    },
    isEmpty: async () => (await list().next()).done === true,
  };
}

function bucketStore(s3: S3Client, bucket: string, prefix?: string): FileStore {
  const start = prefix === undefined ? '' : `${prefix}/`;
  async function* list(): AsyncGenerator<string> {
    for (let token: string | undefined; ;) {
      const page = await s3.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: start,
          ...(token ? { ContinuationToken: token } : {}),
        }),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(start.length);
      token = page.NextContinuationToken;
      if (token === undefined) return;
    }
  }
  return {
    list,
    read: async (name) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${start}${name}` }));
      if (!(Body instanceof Readable)) throw new BackupError(`${name} could not be read from the bucket`);
      return Body;
    },
    write: async (name, from) => {
      const upload = { Bucket: bucket, Key: `${start}${name}`, Body: createReadStream(from) };
      await new Upload({ client: s3, params: upload }).done();
    },
    isEmpty: async () => (await list().next()).done === true,
  };
}

const LIST = 'files.sha256';

/** Copies every file and writes the list of their hashes. A file that is erased meanwhile is left out. */
export async function saveFiles(
  store: FileStore,
  folder: string,
): Promise<{ count: number; sha256: string }> {
  const lines: string[] = [];
  for await (const name of store.list()) {
    const target = join(folder, 'files', name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await pipeline(await store.read(name), createWriteStream(target, { mode: 0o600 }));
    } catch (error) {
      if (isGone(error)) continue;
      throw error;
    }
    lines.push(`${await sha256Of(target)}  files/${name}`);
  }
  await writeFile(
    join(folder, LIST),
    lines
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
    { mode: 0o600 },
  );
  return { count: lines.length, sha256: await sha256Of(join(folder, LIST)) };
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ENOENT') || error.name === 'NoSuchKey');

/** Holds every file against the list. @throws BackupError naming the first that is not what was written */
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

/** Puts every file in its place. */
export async function loadFiles(store: FileStore, names: readonly string[], folder: string): Promise<void> {
  for (const name of names) {
    const from = join(folder, 'files', name);
    await stat(from);
    await store.write(name, from);
  }
}
