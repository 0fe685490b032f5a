/**
 * Data keys. Each owner has one random 256-bit key, stored only wrapped (AES-256-GCM) by a key-encryption key
 * (KEK) from the configuration. Removing the wrapped key makes all of the owner's blobs unreadable. Unwrapped
 * keys are never cached, so an erasure by one process takes effect at once in all.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { KeyBackend } from './backends/backend.ts';
import type { KekRing } from './config.ts';
import { BlobError } from './errors.ts';
import { KEY_ID_BYTES, TAG_BYTES, type DataKey } from './backends/segments.ts';

const IV_BYTES = 12;

interface WrappedKey {
  v: 1;
  kek: string;
  id: string;
  wrapped: string;
}

/** Returns the owner's directory name in the store: a hash, so that a path does not reveal its owner. */
export function ownerHash(ownerId: string): string {
  return createHash('sha256').update(`karaar blob owner\0${ownerId}`).digest('hex').slice(0, 32);
}

/** Binds a wrapped key to its owner and KEK, so that a record copied to another owner does not open. */
function contextOf(owner: string, kekId: string, keyId: string): Buffer {
  return Buffer.from(`karaar data key v1\0${owner}\0${kekId}\0${keyId}`);
}

function wrap(ring: KekRing, owner: string, key: DataKey): Buffer {
  const id = key.id.toString('hex');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', ring.current.secret, iv);
  cipher.setAAD(contextOf(owner, ring.current.id, id));
  const wrapped = Buffer.concat([iv, cipher.update(key.secret), cipher.final(), cipher.getAuthTag()]);
  const record: WrappedKey = { v: 1, kek: ring.current.id, id, wrapped: wrapped.toString('base64') };
  return Buffer.from(JSON.stringify(record));
}

function parse(owner: string, record: Buffer): WrappedKey {
  const corrupt = (cause?: unknown) =>
    new BlobError('blob_corrupt', `The wrapped key of ${owner} cannot be read.`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(record.toString('utf8'));
  } catch (cause) {
    throw corrupt(cause);
  }
  if (typeof value !== 'object' || value === null) throw corrupt();
  const { v, kek, id, wrapped } = value as Partial<Record<keyof WrappedKey, unknown>>;
  if (v !== 1 || typeof kek !== 'string' || typeof id !== 'string' || typeof wrapped !== 'string')
    throw corrupt();
  return { v, kek, id, wrapped };
}

function unwrap(ring: KekRing, owner: string, { kek, id, wrapped }: WrappedKey): DataKey {
  const secret = ring.all.get(kek);
  if (!secret) throw new BlobError('blob_kek_unknown', `No KEK with the id ${kek} is configured.`);
  const bytes = Buffer.from(wrapped, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(contextOf(owner, kek, id));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return { id: Buffer.from(id, 'hex'), secret: plain };
  } catch (cause) {
    throw new BlobError('blob_corrupt', `The wrapped key of ${owner} fails its authentication.`, { cause });
  }
}

export class OwnerKeys {
  readonly #ring: KekRing;
  readonly #backend: KeyBackend;

  constructor(ring: KekRing, backend: KeyBackend) {
    this.#ring = ring;
    this.#backend = backend;
  }

  /**
   * Returns the key of an owner (a hash), or undefined for an owner without a key. Throws `blob_kek_unknown`,
   * `blob_corrupt`.
   */
  async find(owner: string): Promise<DataKey | undefined> {
    const records = (await this.#backend.read(owner)).map((record) => parse(owner, record));
    const known = records.find((record) => this.#ring.all.has(record.kek)) ?? records[0];
    return known && unwrap(this.#ring, owner, known);
  }

  /** Returns the key of an owner, creating it if missing. Concurrent callers all get the same key. */
  async findOrCreate(owner: string): Promise<DataKey> {
    for (;;) {
      const found = await this.find(owner);
      if (found) return found;
      const made: DataKey = { id: randomBytes(KEY_ID_BYTES), secret: randomBytes(32) };
      if (await this.#backend.create(owner, this.#ring.current.id, wrap(this.#ring, owner, made)))
        return made;
    }
  }

  async erase(owner: string): Promise<void> {
    await this.#backend.erase(owner);
  }

  /**
   * Wraps every key with the current KEK unless it already is. Safe while services run, and repeatable; an
   * owner erased meanwhile stays erased. Returns how many keys were rewrapped.
   */
  async rewrap(): Promise<number> {
    let rewrapped = 0;
    for await (const owner of this.#backend.list()) {
      const current = this.#ring.current.id;
      for (const record of await this.#backend.read(owner)) {
        const parsed = parse(owner, record);
        if (parsed.kek === current) continue;
        const next = { kekId: current, record: wrap(this.#ring, owner, unwrap(this.#ring, owner, parsed)) };
        if (await this.#backend.replace(owner, { kekId: parsed.kek, record }, next)) rewrapped += 1;
      }
    }
    return rewrapped;
  }
}
