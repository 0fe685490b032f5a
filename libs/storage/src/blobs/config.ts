import { createHash, hkdfSync } from 'node:crypto';
import { Type } from 'typebox';

/** A key-encryption key: 32 bytes, and the id that wrapped keys refer to. */
export interface Kek {
  id: string;
  secret: Buffer;
}

export interface KekRing {
  current: Kek;
  all: ReadonlyMap<string, Buffer>;
}

export interface S3Config {
  bucket: string;
  /**
   * Prefix of every object's key, so that several deployments can share a bucket. Without leading or trailing
   * slash.
   */
  prefix?: string;
  region?: string;
  /** For S3-compatible stores. The AWS SDK finds the credentials unless they are given. */
  endpoint?: string;
  pathStyle?: boolean;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export interface BlobConfig {
  /** The name in `/files/<service>/…`; it also separates services that share a directory or bucket. */
  service: string;
  backend: { kind: 'fs'; dir: string } | { kind: 's3'; s3: S3Config };
  keks: KekRing;
}

/** Environment variables of a service with blobs, to spread into its config schema. */
export const blobEnv = {
  BLOB_KEK: Type.String({
    minLength: 1,
    description: 'id:base64 of 32 bytes; more after commas, the first wraps',
  }),
  BLOB_DIR: Type.Optional(Type.String({ minLength: 1 })),
  BLOB_S3_BUCKET: Type.Optional(Type.String({ minLength: 1 })),
  BLOB_S3_PREFIX: Type.Optional(Type.String({ pattern: '^[^/].*[^/]$' })),
  BLOB_S3_REGION: Type.Optional(Type.String({ minLength: 1 })),
  BLOB_S3_ENDPOINT: Type.Optional(Type.String({ minLength: 1 })),
  BLOB_S3_PATH_STYLE: Type.Optional(Type.Boolean()),
};

export interface BlobEnv {
  SERVICE_NAME: string;
  NODE_ENV?: string;
  BLOB_KEK: string;
  BLOB_DIR?: string;
  BLOB_S3_BUCKET?: string;
  BLOB_S3_PREFIX?: string;
  BLOB_S3_REGION?: string;
  BLOB_S3_ENDPOINT?: string;
  BLOB_S3_PATH_STYLE?: boolean;
}

function parseKek(text: string): Kek {
  const colon = text.indexOf(':');
  const encoded = text.slice(colon + 1).trim();
  const secret = /^[0-9a-f]{64}$/i.test(encoded)
    ? Buffer.from(encoded, 'hex')
    : Buffer.from(encoded, 'base64');
  // The error text must not contain the key.
  if (secret.length !== 32) throw new Error('BLOB_KEK: each key must be 32 bytes in base64 or hex.');
  const id =
    colon < 0
      ? createHash('sha256').update('karaar kek id\0').update(secret).digest('hex').slice(0, 8)
      : text.slice(0, colon).trim();
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(id))
    throw new Error('BLOB_KEK: a key id has 1 to 32 characters of a-z, 0-9 and -.');
  return { id, secret };
}

/**
 * Parses `id:key[,id:key…]` with keys of 32 bytes in base64 or hex; the first is the current one. A key
 * without an id gets one derived from it. To rotate: put the new key first, restart, `rewrap()`, remove the
 * old key. Throws on an invalid list.
 */
export function parseKekRing(text: string): KekRing {
  const keks = text.split(',').map(parseKek);
  const [current] = keks;
  if (!current) throw new Error('BLOB_KEK: no key.');
  const all = new Map(keks.map(({ id, secret }) => [id, secret]));
  if (all.size !== keks.length) throw new Error('BLOB_KEK: two keys have the same id.');
  return { current, all };
}

/**
 * Returns the blob store's configuration from the parsed environment. Throws on an invalid KEK or, in
 * production, a development KEK.
 */
export function blobConfigFromEnv(env: BlobEnv): BlobConfig {
  const keks = parseKekRing(env.BLOB_KEK);
  if (env.NODE_ENV === 'production' && [...keks.all.keys()].some((id) => id.startsWith('dev')))
    throw new Error('BLOB_KEK: a key whose id begins with "dev" is not taken in production.');
  const service = env.SERVICE_NAME;
  if (env.BLOB_S3_BUCKET) {
    const s3 = {
      bucket: env.BLOB_S3_BUCKET,
      prefix: env.BLOB_S3_PREFIX,
      region: env.BLOB_S3_REGION,
      endpoint: env.BLOB_S3_ENDPOINT,
      pathStyle: env.BLOB_S3_PATH_STYLE,
    };
    return { service, backend: { kind: 's3', s3 }, keks };
  }
  if (!env.BLOB_DIR) throw new Error('BLOB_DIR or BLOB_S3_BUCKET must be set.');
  return { service, backend: { kind: 'fs', dir: env.BLOB_DIR }, keks };
}

/** Derives a key for one purpose from a KEK; the KEK cannot be computed from it. */
export function deriveKey(kek: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', kek, Buffer.alloc(0), `karaar ${purpose}`, 32));
}
