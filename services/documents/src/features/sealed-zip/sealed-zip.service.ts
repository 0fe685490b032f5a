import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { SEALED_ZIP_MAX_DOCUMENTS } from '@karaar/contracts/documents/sealed-zip';
import type { Context } from '../../context.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { notFinalized } from '../agreements/rules/agreement.errors.ts';
import { streamZip, type ZipSource } from '../court-pack/stream-zip.ts';
import { receiptOf } from '../receipt/receipt.service.ts';
import { placeOfDocument } from '../transparency-log/log.service.ts';
import type { PlaceInLog } from '../transparency-log/place.ts';
import { sealedPdfUnreadable, tooLargeToDownload, tooManyToDownload } from './sealed-zip.errors.ts';
import { zipName } from './zip-names.ts';

/** A ZIP without the ZIP64 extension ends at 4 GB, and a browser keeps the whole download in memory. */
export const MOST_BYTES = 1024 ** 3;

type Sealed = { id: string; name: string; path: string; sha256: string; place: PlaceInLog };

/**
 * Returns the ZIP of these documents' sealed PDFs and receipts. Missing PDFs and the sizes are found before the
 * first byte. Each PDF is then read once: one whose bytes are not the sealed ones breaks the download off.
 * @throws 403, 404 for a document that the user may not see, 409 before it is sealed and logged, 413, 422 over
 * the limits, 503 for a missing PDF
 */
export async function openSealedZip(ctx: Context, userId: string, ids: readonly string[]): Promise<Readable> {
  const all = [...new Set(ids)];
  if (all.length > SEALED_ZIP_MAX_DOCUMENTS) throw tooManyToDownload();
  const sealed: Sealed[] = [];
  for (const id of all) sealed.push(await sealedDocument(ctx, userId, id));
  await requireSizes(ctx, sealed);
  const files = sealed.flatMap((document) => filesOf(ctx, document));
  return Readable.from(streamZip(new Date().toISOString(), files), { objectMode: false });
}

async function sealedDocument(ctx: Context, userId: string, id: string): Promise<Sealed> {
  const { document } = await getInvolvedDocument(ctx, userId, id);
  const place = await placeOfDocument(ctx, document);
  const { name, document_code: code, final_path: path, final_sha256: sha256 } = document;
  if (!path || !sha256) throw notFinalized();
  return { id, name: zipName(name, code), path, sha256, place };
}

async function requireSizes(ctx: Context, sealed: readonly Sealed[]): Promise<void> {
  let bytes = 0;
  for (const { path } of sealed) {
    const { size } = await ctx.blobs.stat(path).catch((error: unknown) => {
      throw sealedPdfUnreadable(error);
    });
    bytes += size;
    if (bytes > MOST_BYTES) throw tooLargeToDownload();
  }
}

/** Yields the PDF's bytes. Throws at its end for another SHA-256. */
async function* sealedBytes(ctx: Context, { path, sha256 }: Sealed): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of (await ctx.blobs.open(path)).stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw sealedPdfUnreadable(new Error(`${path} has another SHA-256`));
}

const filesOf = (ctx: Context, document: Sealed): ZipSource[] => [
  { name: `${document.name}.pdf`, open: async () => Readable.from(sealedBytes(ctx, document)) },
  {
    name: `${document.name}-receipt.html`,
    open: async () => Readable.from([Buffer.from(await receiptOf(ctx, document.place, document.id))]),
  },
];
