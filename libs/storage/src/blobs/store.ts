import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import type { BlobBackend, Span } from './backends/backend.ts';
import type { BlobConfig } from './config.ts';
import { BlobError } from './errors.ts';
import { createFsBackend } from './backends/fs-backend.ts';
import { OwnerKeys, ownerHash } from './owner-keys.ts';
import { createS3Backend } from './backends/s3-backend.ts';
import {
  HEADER_BYTES,
  keyIdOf,
  layoutOf,
  openHeader,
  openSegments,
  sealStream,
  SEGMENT_BYTES,
  segmentSpan,
  type DataKey,
  type OpenedHeader,
} from './backends/segments.ts';
import { PathSigner, type SignedPath, type SignOptions } from './links/signed-path.ts';

const PATH = /^([0-9a-f]{32})\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN_MIME = 'application/octet-stream';
/** Container types of many formats: the caller may know more than the first bytes show. */
const CONTAINERS = new Set([UNKNOWN_MIME, 'application/zip', 'application/x-cfb']);

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /**
   * The type that the server detected, never the client's claim; used if the first bytes do not reveal one.
   */
  mime?: string;
}

export interface StoredBlob {
  /** `<owner-hash>/<uuid>`: store it in the database and pass it to every other call. */
  path: string;
  size: number;
  sha256: string;
  mime: string;
}

export interface OpenedBlob {
  /** The content or the requested range. Errors with `blob_corrupt` if the stored bytes were altered. */
  stream: Readable;
  /** Size of the whole content in bytes. */
  size: number;
  mime: string;
}

export interface ListedBlob {
  path: string;
  storedAt: Date;
}

export interface BlobStore {
  readonly service: string;
  /** Encrypts and stores `source` for an owner. Stores nothing if the source fails. */
  put(ownerId: string, source: BlobSource, options?: PutOptions): Promise<StoredBlob>;
  /** Throws `blob_not_found` (also after `eraseOwner`), `blob_bad_range`, `blob_bad_path`. `end` is inclusive. */
  open(path: string, options?: { range?: { start: number; end?: number } }): Promise<OpenedBlob>;
  /** Reads a whole small blob into memory. */
  read(path: string): Promise<Buffer>;
  stat(path: string): Promise<{ size: number; mime: string }>;
  /** A missing blob is not an error. */
  delete(path: string): Promise<void>;
  /** All blobs in any order; blobs that are stored or removed during the listing may be missing. */
  list(): AsyncIterable<ListedBlob>;
  /** Makes all blobs of an owner permanently unreadable, at once and in every process, then removes them. */
  eraseOwner(ownerId: string): Promise<void>;
  /** Wraps all data keys with the current KEK; returns how many were changed. */
  rewrap(): Promise<number>;
  /**
   * Removes leftovers of crashed writers that are older than the given age (default: an hour). Returns how
   * many it removed.
   */
  sweep(olderThanMs?: number): Promise<number>;
  /**
   * Returns a link for a viewer that is valid for at most `ttlS` seconds: `/api/files/<service>/<path>?…`.
   */
  signPath(path: string, options: SignOptions): string;
  verifySignedPath(link: string): SignedPath;
}

async function takeHead(
  stream: Readable,
  length: number,
): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const source: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield head.subarray(length);
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { head: head.subarray(0, length), rest: rest() };
}

async function* skipAndTake(
  source: AsyncIterable<Buffer>,
  skip: number,
  take: number,
): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    const slice = piece.subarray(skip, skip + take);
    skip = Math.max(0, skip - piece.length);
    take -= slice.length;
    if (slice.length > 0) yield slice;
  }
}

/** A reader that leaves before the first byte must not keep the file or connection of `source` open. */
function streamOf(content: AsyncIterable<Buffer>, source: Readable): Readable {
  return Readable.from(content, { objectMode: false }).once('close', () => source.destroy());
}

async function drain(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

class EncryptedStore implements BlobStore {
  readonly service: string;
  readonly #backend: BlobBackend;
  readonly #keys: OwnerKeys;
  readonly #signer: PathSigner;

  constructor(config: BlobConfig, backend: BlobBackend) {
    this.service = config.service;
    this.#backend = backend;
    this.#keys = new OwnerKeys(config.keks, backend.keys);
    this.#signer = new PathSigner(config.service, config.keks);
  }

  async put(ownerId: string, source: BlobSource, options: PutOptions = {}): Promise<StoredBlob> {
    // The source may fail during the key lookup, for example when the uploading client disconnects. Without a
    // handler the process would exit; the later reader gets the error.
    if (source instanceof Readable) source.on('error', () => undefined);
    try {
      return await this.#put(ownerHash(ownerId), source, options);
    } catch (error) {
      // Also if nothing was read yet: an open source holds a file or connection.
      if (source instanceof Readable) source.destroy();
      throw error;
    }
  }

  async #put(owner: string, source: BlobSource, options: PutOptions): Promise<StoredBlob> {
    const path = `${owner}/${randomUUID()}`;
    const dataKey = await this.#keys.findOrCreate(owner);
    const hash = createHash('sha256');
    let size = 0;
    let mime = UNKNOWN_MIME;
    async function* measured(): AsyncGenerator<Uint8Array> {
      for await (const piece of source instanceof Uint8Array ? [source] : source) {
        hash.update(piece);
        size += piece.length;
        yield piece;
      }
    }
    const describe = async (head: Buffer) => {
      const sniffed = (await fileTypeFromBuffer(head))?.mime ?? UNKNOWN_MIME;
      mime = CONTAINERS.has(sniffed) ? (options.mime ?? sniffed) : sniffed;
      return mime;
    };
    await this.#backend.write(path, sealStream(measured(), dataKey, path, describe));
    // A concurrent erasure wins: the new blob is unreadable, so it must not count as stored.
    if (!(await this.#keys.find(owner))?.id.equals(dataKey.id)) {
      await this.#backend.remove(path);
      throw new BlobError('blob_owner_erased', 'The owner was erased during the write.');
    }
    return { path, size, sha256: hash.digest('hex'), mime };
  }

  async #keyOf(path: string): Promise<DataKey | undefined> {
    const owner = PATH.exec(path)?.[1];
    if (!owner) throw new BlobError('blob_bad_path', 'Not a path of a blob.');
    return this.#keys.find(owner);
  }

  /** Opens a header. A key other than the owner's current one means that the owner was erased since. */
  #openHeader(path: string, header: Buffer, dataKey: DataKey | undefined): OpenedHeader {
    if (!dataKey || !keyIdOf(header).equals(dataKey.id))
      throw new BlobError('blob_not_found', `The key of blob ${path} was erased.`);
    return openHeader(header, dataKey, path);
  }

  async open(path: string, { range }: { range?: { start: number; end?: number } } = {}): Promise<OpenedBlob> {
    return range ? this.#openRange(path, range) : this.#openWhole(path);
  }

  async #openWhole(path: string): Promise<OpenedBlob> {
    const dataKey = await this.#keyOf(path);
    const { stream: source, size: storedBytes } = await this.#backend.read(path);
    try {
      const { head, rest } = await takeHead(source, HEADER_BYTES);
      const header = this.#openHeader(path, head, dataKey);
      const { size, segments } = layoutOf(storedBytes);
      const content = openSegments(rest, header, { from: 0, until: segments, segments });
      return { stream: streamOf(content, source), size, mime: header.mime };
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async #head(path: string): Promise<{ header: OpenedHeader; storedBytes: number }> {
    const dataKey = await this.#keyOf(path);
    const { stream, size } = await this.#backend.read(path, { start: 0, end: HEADER_BYTES - 1 });
    return { header: this.#openHeader(path, await drain(stream), dataKey), storedBytes: size };
  }

  /** Opens whole segments; the stream ends with the last of them. */
  async #segments(path: string, header: OpenedHeader, storedBytes: number, from: number, until: number) {
    const { segments } = layoutOf(storedBytes);
    const span: Span = {
      start: segmentSpan(from, storedBytes).start,
      end: segmentSpan(until - 1, storedBytes).end,
    };
    const { stream } = await this.#backend.read(path, span);
    return { source: stream, content: openSegments(stream, header, { from, until, segments }) };
  }

  /** The size is trusted only after the last segment is authenticated as the last. */
  async #stat(path: string) {
    const { header, storedBytes } = await this.#head(path);
    const { size, segments } = layoutOf(storedBytes);
    await drain((await this.#segments(path, header, storedBytes, segments - 1, segments)).content);
    return { header, storedBytes, size };
  }

  async #openRange(path: string, range: { start: number; end?: number }): Promise<OpenedBlob> {
    const { header, storedBytes, size } = await this.#stat(path);
    const { start } = range;
    const end = Math.min(range.end ?? size - 1, size - 1);
    if (!Number.isSafeInteger(start) || start < 0 || start > end)
      throw new BlobError('blob_bad_range', `No range ${start}-${range.end ?? ''} in ${size} bytes.`);
    const from = Math.floor(start / SEGMENT_BYTES);
    const until = Math.floor(end / SEGMENT_BYTES) + 1;
    const { source, content } = await this.#segments(path, header, storedBytes, from, until);
    const bytes = skipAndTake(content, start - from * SEGMENT_BYTES, end - start + 1);
    return { stream: streamOf(bytes, source), size, mime: header.mime };
  }

  async read(path: string): Promise<Buffer> {
    return drain((await this.open(path)).stream);
  }

  async stat(path: string): Promise<{ size: number; mime: string }> {
    const { header, size } = await this.#stat(path);
    return { size, mime: header.mime };
  }

  async delete(path: string): Promise<void> {
    if (!PATH.test(path)) throw new BlobError('blob_bad_path', 'Not a path of a blob.');
    await this.#backend.remove(path);
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for await (const { name, storedAt } of this.#backend.list())
      if (PATH.test(name)) yield { path: name, storedAt };
  }

  async eraseOwner(ownerId: string): Promise<void> {
    const owner = ownerHash(ownerId);
    await this.#keys.erase(owner);
    await this.#backend.removeOwner(owner);
  }

  rewrap(): Promise<number> {
    return this.#keys.rewrap();
  }

  sweep(olderThanMs = 3_600_000): Promise<number> {
    return this.#backend.sweep(olderThanMs);
  }

  signPath(path: string, options: SignOptions): string {
    return this.#signer.sign(path, options);
  }

  verifySignedPath(link: string): SignedPath {
    return this.#signer.verify(link);
  }
}

/** Returns the blob store of one service. Opens or creates nothing before the first use. */
export function createBlobStore(config: BlobConfig): BlobStore {
  const backend =
    config.backend.kind === 'fs'
      ? createFsBackend(join(config.backend.dir, config.service))
      : createS3Backend(config.service, config.backend.s3);
  return new EncryptedStore(config, backend);
}
