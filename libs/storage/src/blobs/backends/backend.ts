import type { Readable } from 'node:stream';

/** A byte range, both ends inclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Storage for encrypted bytes. The store encrypts and makes the names, which are opaque
 * (`<owner-hash>/<uuid>` for objects, `<owner-hash>` for keys).
 */
export interface BlobBackend {
  /** Stores all of `sealed` under `name`, or nothing if the source or the write fails. */
  write(name: string, sealed: AsyncIterable<Buffer>): Promise<void>;
  /** Opens an object or a span of it; `size` is the size of the whole object. Throws `blob_not_found`. */
  read(name: string, span?: Span): Promise<{ stream: Readable; size: number }>;
  /** Removes an object; a missing object is not an error. */
  remove(name: string): Promise<void>;
  list(): AsyncIterable<{ name: string; storedAt: Date }>;
  removeOwner(owner: string): Promise<void>;
  /** Removes leftovers of crashed writers that are older than `olderThanMs`. Returns how many it removed. */
  sweep(olderThanMs: number): Promise<number>;
  keys: KeyBackend;
}

/** Storage for wrapped data keys: one small record per owner, labelled with the id of its KEK. */
export interface KeyBackend {
  /** The owner's records: empty, one, or (during a rewrap) the same key under two KEKs. */
  read(owner: string): Promise<Buffer[]>;
  /** Stores the first record of an owner. Returns false, and stores nothing, if the owner already has one. */
  create(owner: string, kekId: string, record: Buffer): Promise<boolean>;
  /** Replaces `old` with `next`. Returns false, and stores nothing, if the stored record is not `old`. */
  replace(
    owner: string,
    old: { kekId: string; record: Buffer },
    next: { kekId: string; record: Buffer },
  ): Promise<boolean>;
  /** Removes all records of an owner; no reader in any process gets the key afterwards. */
  erase(owner: string): Promise<void>;
  list(): AsyncIterable<string>;
}
