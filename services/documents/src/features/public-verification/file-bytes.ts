/** Files and blobs for the checker, which reads them in parts and never whole into memory. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { BlobStore } from '@karaar/storage/blobs';
import type { FileBytes } from '@karaar/proof/seal/sealed-file';

type Open = (start: number, end: number) => Promise<Readable>;

/** @param open reads the bytes from `start` up to `end`, exclusive */
function partsOf(size: number, open: Open): FileBytes {
  async function* stream(start: number, end: number): AsyncGenerator<Buffer> {
    if (start < end) yield* (await open(start, end)) as AsyncIterable<Buffer>;
  }
  return {
    size,
    async read(start, end) {
      const parts: Buffer[] = [];
      for await (const part of stream(start, Math.min(end, size))) parts.push(part);
      return new Uint8Array(Buffer.concat(parts));
    },
    async digest(...ranges) {
      const hash = createHash('sha256');
      for (const [start, end] of ranges) for await (const part of stream(start, end)) hash.update(part);
      return new Uint8Array(hash.digest());
    },
  };
}

export const diskFile = (path: string, size: number): FileBytes =>
  partsOf(size, async (start, end) => createReadStream(path, { start, end: end - 1 }));

export async function blobFile(blobs: BlobStore, path: string): Promise<FileBytes> {
  const { size } = await blobs.stat(path);
  return partsOf(size, async (start, end) => {
    const { stream } = await blobs.open(path, { range: { start, end: end - 1 } });
    return stream;
  });
}
