import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { isBlobError } from '@karaar/storage/blobs';
import { unavailable } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import type { Context } from '../../../context.ts';
import { RenderError } from '@karaar/rendering';
import { storePages } from '../../uploads/pages.ts';
import { takeBackFiles } from '../../stored-files/stored-files.repository.ts';
import { refusalOf, fileRefused } from '../../uploads/refusals.ts';
import type { ReadyUpload } from '../../uploads/uploads.repository.ts';
import { parseUploads, readyUploads, uploadTaken } from '../../uploads/uploads.service.ts';
import type { NewRawFile } from '../agreements.repository.ts';
import { acceptedKind, requireSizes } from '../../uploads/file-rules.ts';
import { fieldFault } from '../../../errors.ts';

const MAX_FILES = 20;

/** Files in a form, and earlier uploads (`uploads`, JSON), which come after them. */
export type SentFiles = { rawDocuments: readonly SpooledFile[]; uploads: string | undefined };

export type TakenFiles = {
  files: NewRawFile[];
  /** Earlier uploads, which the transaction that stores the files must use up. */
  uploads: string[];
  /** Deletes the stored files after `error`; files that a row references stay. */
  discard: (error: unknown) => Promise<void>;
};

/**
 * Makes each file's pages and stores both under the document's key; leaves nothing behind on failure. Throws
 * 413 above the configured limits; 422 with the name of a file that is empty, damaged, password-protected,
 * has macros, cannot be drawn or is of another type; 503 if the converter is busy.
 * @param kept files that the document already has
 */
export async function takeRawFiles(
  ctx: Context,
  ids: { userId: string; documentId: string },
  sent: SentFiles,
  kept: { files: number; bytes: number } = { files: 0, bytes: 0 },
): Promise<TakenFiles> {
  const uploads = await readyUploads(ctx, ids.userId, parseUploads(sent.uploads));
  if (kept.files + sent.rawDocuments.length + uploads.length > MAX_FILES) {
    throw fieldFault('raw_documents', `A document may have ${MAX_FILES} files at most.`);
  }
  const bytes = uploads.reduce((sum, { size }) => sum + size, kept.bytes);
  requireSizes(ctx.config, sent.rawDocuments, bytes);
  const kinds = sent.rawDocuments.map(acceptedKind);
  const files: NewRawFile[] = [];
  const stored: string[] = [];
  const discard = (error: unknown): Promise<void> => takeBackFiles(ctx, error, stored);
  const keep = (file: NewRawFile): void => {
    files.push(file);
    stored.push(file.path, file.thumb_path, file.preview_path, file.text_path);
  };
  try {
    // Sequential, so that a request needs resources for only one file at a time.
    for (const [i, file] of sent.rawDocuments.entries()) {
      const { filename: name, mime, size, sha256, path } = file;
      const kind = kinds[i] ?? 'pdf';
      const pages = await pagesOf(ctx, ids.documentId, { name, kind, path });
      stored.push(pages.preview_path, pages.thumb_path, pages.text_path);
      const blob = await ctx.blobs.put(ids.documentId, createReadStream(path), { mime });
      keep({ name, kind, mime, size, sha256, path: blob.path, ...pages });
    }
    for (const upload of uploads) keep(await moved(ctx, ids.documentId, upload, stored));
  } catch (error) {
    await discard(error);
    throw error;
  }
  return { files, uploads: uploads.map(({ id }) => id), discard };
}

/** Erases uploads after the document has taken them over. */
export async function forgetUploads(ctx: Context, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => ctx.blobs.eraseOwner(id)));
}

async function pagesOf(ctx: Context, documentId: string, file: Parameters<typeof storePages>[2]) {
  try {
    return await storePages(ctx, documentId, file);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) throw fileRefused(refusal.why, file.name, refusal.reason);
    if (error instanceof RenderError && (error.code === 'busy' || error.code === 'timeout')) {
      throw unavailable(
        'files_busy',
        `"${file.name}" could not be checked in time. Please try again.`,
        error,
      );
    }
    throw error;
  }
}

/** Throws 409 if another document has taken the upload since it was looked up. */
async function readUpload(ctx: Context, path: string): Promise<Readable> {
  try {
    return (await ctx.blobs.open(path)).stream;
  } catch (error) {
    if (isBlobError(error, 'blob_not_found')) throw uploadTaken();
    throw error;
  }
}

async function moved(
  ctx: Context,
  documentId: string,
  upload: ReadyUpload,
  stored: string[],
): Promise<NewRawFile> {
  const move = async (path: string, mime: string): Promise<string> => {
    const blob = await ctx.blobs.put(documentId, await readUpload(ctx, path), { mime });
    stored.push(blob.path);
    return blob.path;
  };
  const { name, kind, mime, size, sha256, pages, pictures, picture_reasons, left_out, preview_sha256 } =
    upload;
  return {
    ...{ name, kind, mime, size, sha256, pages, pictures, picture_reasons, left_out, preview_sha256 },
    path: await move(upload.path, mime),
    preview_path: await move(upload.preview_path, 'application/pdf'),
    thumb_path: await move(upload.thumb_path, 'image/jpeg'),
    text_path: await move(upload.text_path, 'application/json'),
  };
}
