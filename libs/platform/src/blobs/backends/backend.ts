import type { Readable } from 'node:stream';

/** A byte range, both ends inclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Storage for encrypted bytes. A backend does not encrypt; the store makes the names, which are opaque
 * (`<owner-hash>/<uuid>` for objects, `<owner-hash>` for keys).
 */
export interface BlobBackend {
  /** Stores all of `sealed` under `name`, or, if the source or the write fails, nothing at all. */
  write(name: string, sealed: AsyncIterable<Buffer>): Promise<void>;
  /** Opens an object or a span of it; `size` is the size of the whole. Throws `blob_not_found`. */
  read(name: string, span?: Span): Promise<{ stream: Readable; size: number }>;
  /** Removes an object; a missing object is not an error. */
  remove(name: string): Promise<void>;
  /** All objects, by name, and when each was stored. */
  list(): AsyncIterable<{ name: string; storedAt: Date }>;
  /** Removes all objects of an owner. */
  removeOwner(owner: string): Promise<void>;
  /** Removes leftovers of crashed writers that are older than `olderThanMs`. Returns their number. */
  sweep(olderThanMs: number): Promise<number>;
  keys: KeyBackend;
}

/** Storage for wrapped data keys: a small record per owner, labelled with the id of the KEK that wraps it. */
export interface KeyBackend {
  /** The owner's records: none, one, or (while a rewrap is under way) the same key under two KEKs. */
  read(owner: string): Promise<Buffer[]>;
  /** Stores the first record of an owner. Answers false, and stores nothing, when there already is one. */
  create(owner: string, kekId: string, record: Buffer): Promise<boolean>;
  /** Replaces `old` by `next`. Answers false, and stores nothing, when the owner's key is no longer `old`. */
  replace(
    owner: string,
    old: { kekId: string; record: Buffer },
    next: { kekId: string; record: Buffer },
  ): Promise<boolean>;
  /** Removes all records of an owner; after it no reader in any process gets the key. */
  erase(owner: string): Promise<void>;
  /** All owners that have a key. */
  list(): AsyncIterable<string>;
}
