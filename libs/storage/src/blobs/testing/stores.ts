import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKekRing, type BlobConfig, type KekRing } from '../config.ts';
import { startS3Stub, type S3Stub } from '@karaar/testing/providers/s3-stub';

/** A store for blobs that a test can inspect and tamper with, with either backend. */
export interface TestPlace {
  config(keks: KekRing, service?: string): BlobConfig;
  /** Names of all stored objects, keys and leftovers of writers. */
  names(): Promise<string[]>;
  bytes(name: string): Promise<Buffer>;
  overwrite(name: string, bytes: Buffer): Promise<void>;
  s3?: S3Stub;
  dir?: string;
  close(): Promise<void>;
}

export function ring(...ids: string[]): KekRing {
  return parseKekRing(ids.map((id) => `${id}:${kekOf(id)}`).join(','));
}

const made = new Map<string, string>();
function kekOf(id: string): string {
  const kek = made.get(id) ?? randomBytes(32).toString('base64');
  made.set(id, kek);
  return kek;
}

export async function fsPlace(): Promise<TestPlace> {
  const dir = await mkdtemp(join(tmpdir(), 'karaar-blobs-'));
  return {
    dir,
    config: (keks, service = 'auth') => ({ service, backend: { kind: 'fs', dir }, keks }),
    names: async () => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name).slice(dir.length + 1));
    },
    bytes: (name) => readFile(join(dir, name)),
    overwrite: (name, bytes) => writeFile(join(dir, name), bytes),
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

export async function s3Place(): Promise<TestPlace> {
  const s3 = await startS3Stub();
  return {
    s3,
    config: (keks, service = 'auth') => ({
      service,
      backend: {
        kind: 's3',
        s3: {
          bucket: s3.bucket,
          prefix: 'test',
          endpoint: s3.url,
          pathStyle: true,
          credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        },
      },
      keks,
    }),
    names: async () => [...s3.objects.keys(), ...[...s3.uploads.keys()].map((id) => `upload ${id}`)],
    bytes: async (name) => {
      const bytes = s3.objects.get(name);
      if (!bytes) throw new Error(`no object ${name}`);
      return bytes;
    },
    overwrite: async (name, bytes) => void s3.objects.set(name, bytes),
    close: () => s3.close(),
  };
}
