import { randomBytes } from 'node:crypto';
import { blobConfigFromEnv, parseKekRing } from './config.ts';

const [a, b] = [randomBytes(32), randomBytes(32)];

describe('parseKekRing', () => {
  it('reads keys in base64 and hex; the first wraps, all unwrap', () => {
    const ring = parseKekRing(`2026-b:${b.toString('hex')}, 2026-a:${a.toString('base64')}`);
    expect(ring.current).toEqual({ id: '2026-b', secret: b });
    expect([...ring.all]).toEqual([
      ['2026-b', b],
      ['2026-a', a],
    ]);
  });

  it('derives a stable id for a key without one', () => {
    const id = parseKekRing(a.toString('base64')).current.id;
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(parseKekRing(a.toString('hex')).current.id).toBe(id);
  });

  it('rejects short, duplicate, ill-named and missing keys without printing them', () => {
    const short = randomBytes(31).toString('base64');
    for (const bad of [
      '',
      'k1:',
      short,
      `k1:${short}`,
      `K 1:${a.toString('base64')}`,
      `${'k'.repeat(33)}:${a.toString('base64')}`,
    ])
      expect(() => parseKekRing(bad)).toThrow(/^BLOB_KEK: /);
    expect(() => parseKekRing(`k1:${a.toString('hex')},k1:${b.toString('hex')}`)).toThrow('same id');
    expect(() => parseKekRing(`k1:${short}`)).not.toThrow(short);
  });
});

describe('blobConfigFromEnv', () => {
  const BLOB_KEK = `dev-1:${a.toString('base64')}`;
  const env = { SERVICE_NAME: 'auth', BLOB_KEK };

  it('returns a directory, or a bucket if one is named', () => {
    expect(blobConfigFromEnv({ ...env, BLOB_DIR: '/blobs' }).backend).toEqual({ kind: 'fs', dir: '/blobs' });
    const { backend } = blobConfigFromEnv({
      ...env,
      BLOB_DIR: '/blobs',
      BLOB_S3_BUCKET: 'b',
      BLOB_S3_PATH_STYLE: true,
    });
    expect(backend).toMatchObject({ kind: 's3', s3: { bucket: 'b', pathStyle: true } });
    expect(() => blobConfigFromEnv(env)).toThrow('BLOB_DIR or BLOB_S3_BUCKET');
  });

  it('rejects a development key in production', () => {
    const production = { ...env, BLOB_DIR: '/blobs', NODE_ENV: 'production' };
    expect(() => blobConfigFromEnv(production)).toThrow('production');
    expect(blobConfigFromEnv({ ...production, BLOB_KEK: `k1:${b.toString('base64')}` }).service).toBe('auth');
  });
});
