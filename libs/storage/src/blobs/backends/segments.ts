/**
 * The stored form of a blob: a sealed header, then the content in segments of 64 KiB, each sealed separately
 * with AES-256-GCM (the STREAM construction). A reader buffers one segment whatever the size, and returns only
 * authenticated bytes.
 *
 *   offset 0    magic "KBL1" (4) · key id (16) · salt (32)
 *          52   sealed description: 128 bytes (length-prefixed MIME type, zero padded) + tag (16)
 *         196   segments: ciphertext (64 KiB, the last one shorter) + tag (16) each
 *
 * The key of an object is HKDF(owner's data key, salt, object's name), so bytes moved to another name do not open,
 * and nonces that count segments never repeat under one key. The nonce contains the segment's kind and number, so
 * a dropped, repeated or moved segment fails its tag. An empty blob has one empty last segment.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { BlobError } from '../errors.ts';

export const SEGMENT_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
export const KEY_ID_BYTES = 16;
const SALT_BYTES = 32;
const DESCRIPTION_BYTES = 128;
const MAGIC = Buffer.from('KBL1', 'latin1');
const OPEN_HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES;
export const HEADER_BYTES = OPEN_HEADER_BYTES + DESCRIPTION_BYTES + TAG_BYTES;
const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;

/** The nonce's segment kind: the description, a segment with others after it, or the last segment. */
const DESCRIPTION = 0;
const MORE = 1;
const LAST = 2;

/** An owner's data key, with the id that the headers of its blobs name. */
export interface DataKey {
  id: Buffer;
  secret: Buffer;
}

/** An opened header, with everything needed to open the segments of its object. */
export interface OpenedHeader {
  mime: string;
  objectKey: Buffer;
  openHeader: Buffer;
}

function deriveObjectKey(dataKey: DataKey, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey.secret, salt, `karaar blob v1\0${name}`, 32));
}

function nonceOf(kind: number, index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(kind, 0);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

function seal(key: Buffer, openHeader: Buffer, kind: number, index: number, plain: Uint8Array): Buffer {
  const nonce = nonceOf(kind, index);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.concat([openHeader, nonce]));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unseal(key: Buffer, openHeader: Buffer, kind: number, index: number, sealed: Buffer): Buffer {
  const nonce = nonceOf(kind, index);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([openHeader, nonce]));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new BlobError('blob_corrupt', `Segment ${index} fails its authentication.`, { cause });
  }
}

function encodeDescription(mime: string): Buffer {
  const text = Buffer.from(mime, 'latin1');
  if (text.length >= DESCRIPTION_BYTES) throw new RangeError('A MIME type of more than 127 bytes.');
  const description = Buffer.alloc(DESCRIPTION_BYTES);
  description.writeUInt8(text.length, 0);
  text.copy(description, 1);
  return description;
}

/**
 * Splits a stream into buffers of exactly `size` bytes and a last one of 1 to `size` bytes (0 bytes only if
 * the whole stream is empty). Buffers at most one piece and one source buffer.
 */
async function* rechunk(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const bytes of source) {
    let taken = 0;
    while (taken < bytes.length) {
      // A full piece is held back until another byte proves that it is not the last.
      if (filled === size) {
        yield { piece, last: false };
        piece = Buffer.allocUnsafe(size);
        filled = 0;
      }
      const n = Math.min(size - filled, bytes.length - taken);
      piece.set(bytes.subarray(taken, taken + n), filled);
      filled += n;
      taken += n;
    }
  }
  yield { piece: piece.subarray(0, filled), last: true };
}

/**
 * Seals a stream. `describe` is called once, with the first segment (up to 64 KiB of content), before any
 * output, and returns the MIME type to store. Ending the iteration early closes the source.
 */
export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  dataKey: DataKey,
  name: string,
  describe: (head: Buffer) => Promise<string>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const openHeader = Buffer.concat([MAGIC, dataKey.id, salt]);
  const key = deriveObjectKey(dataKey, salt, name);
  let index = 0;
  for await (const { piece, last } of rechunk(source, SEGMENT_BYTES)) {
    if (index === 0) {
      const description = encodeDescription(await describe(piece));
      yield Buffer.concat([openHeader, seal(key, openHeader, DESCRIPTION, 0, description)]);
    }
    yield seal(key, openHeader, last ? LAST : MORE, index, piece);
    index += 1;
  }
}

/** Returns the data key id from a header, unauthenticated. */
export function keyIdOf(header: Buffer): Buffer {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BlobError('blob_corrupt', 'Not a sealed blob.');
  return header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES);
}

/** Opens and authenticates a header (the first `HEADER_BYTES` bytes). Throws `blob_corrupt`. */
export function openHeader(header: Buffer, dataKey: DataKey, name: string): OpenedHeader {
  if (!keyIdOf(header).equals(dataKey.id)) throw new BlobError('blob_corrupt', 'Sealed with another key.');
  const open = Buffer.from(header.subarray(0, OPEN_HEADER_BYTES));
  const objectKey = deriveObjectKey(dataKey, open.subarray(OPEN_HEADER_BYTES - SALT_BYTES), name);
  const description = unseal(
    objectKey,
    open,
    DESCRIPTION,
    0,
    header.subarray(OPEN_HEADER_BYTES, HEADER_BYTES),
  );
  const mime = description.subarray(1, 1 + description.readUInt8(0)).toString('latin1');
  return { mime, objectKey, openHeader: open };
}

/** Returns the content size and the number of segments of a stored object of `storedBytes` bytes. */
export function layoutOf(storedBytes: number): { size: number; segments: number } {
  const body = storedBytes - HEADER_BYTES;
  const segments = Math.ceil(body / SEALED_SEGMENT_BYTES);
  const size = body - segments * TAG_BYTES;
  // Truncation can leave a stub shorter than a tag; an empty last segment is valid only in an empty blob.
  const stub = body - (segments - 1) * SEALED_SEGMENT_BYTES;
  if (body < TAG_BYTES || stub < TAG_BYTES || (stub === TAG_BYTES && segments > 1))
    throw new BlobError('blob_corrupt', 'The stored object is cut short.');
  return { size, segments };
}

/** Returns the first and last byte (inclusive) of segment `index` in the stored object. */
export function segmentSpan(index: number, storedBytes: number): { start: number; end: number } {
  const start = HEADER_BYTES + index * SEALED_SEGMENT_BYTES;
  return { start, end: Math.min(start + SEALED_SEGMENT_BYTES, storedBytes) - 1 };
}

/**
 * Opens the sealed segments `from` to `until` (exclusive) of an object with `segments` segments, from a
 * stream of exactly their stored bytes. Yields authenticated content only. Throws `blob_corrupt` at the first
 * altered segment and if the stream ends early.
 */
export async function* openSegments(
  sealed: AsyncIterable<Uint8Array>,
  header: OpenedHeader,
  { from, until, segments }: { from: number; until: number; segments: number },
): AsyncGenerator<Buffer> {
  let index = from;
  for await (const { piece } of rechunk(sealed, SEALED_SEGMENT_BYTES)) {
    if (piece.length < TAG_BYTES || index >= until)
      throw new BlobError('blob_corrupt', `Segment ${index} is cut short or surplus.`);
    const kind = index === segments - 1 ? LAST : MORE;
    const plain = unseal(header.objectKey, header.openHeader, kind, index, piece);
    index += 1;
    if (plain.length > 0) yield plain;
  }
  if (index !== until) throw new BlobError('blob_corrupt', `Segment ${index} is not there.`);
}
