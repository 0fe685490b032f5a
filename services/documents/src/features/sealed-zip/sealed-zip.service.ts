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
const MOST_BYTES = 1024 ** 3;

type Sealed = { id: string; name: string; path: string; sha256: string; place: PlaceInLog };

/**
 * Returns the ZIP of these documents' sealed PDFs and receipts. Reads and verifies all PDFs before the first
 * byte, because a started download can only break off.
 * @throws 403, 404 for a document that the user may not see, 409 before it is sealed and logged, 413, 422 over
 * the limits, 503 for an unreadable PDF
 */
export async function openSealedZip(ctx: Context, userId: string, ids: readonly string[]): Promise<Readable> {
  const all = [...new Set(ids)];
  if (all.length > SEALED_ZIP_MAX_DOCUMENTS) throw tooManyToDownload();
  const sealed: Sealed[] = [];
  for (const id of all) sealed.push(await sealedDocument(ctx, userId, id));
  await verifyPdfs(ctx, sealed);
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

async function verifyPdfs(ctx: Context, sealed: readonly Sealed[]): Promise<void> {
  let bytes = 0;
  for (const { path, sha256 } of sealed) {
    const hash = createHash('sha256');
    try {
      const { stream, size } = await ctx.blobs.open(path);
      bytes += size;
      for await (const chunk of stream) {
        if (bytes > MOST_BYTES) break;
        hash.update(chunk as Buffer);
      }
    } catch (error) {
      throw sealedPdfUnreadable(error);
    }
    if (bytes > MOST_BYTES) throw tooLargeToDownload();
    if (hash.digest('hex') !== sha256) throw sealedPdfUnreadable(new Error(`${path} has another SHA-256`));
  }
}

const filesOf = (ctx: Context, { id, name, path, place }: Sealed): ZipSource[] => [
  { name: `${name}.pdf`, open: async () => (await ctx.blobs.open(path)).stream },
  {
    name: `${name}-receipt.html`,
    open: async () => Readable.from([Buffer.from(await receiptOf(ctx, place, id))]),
  },
];
