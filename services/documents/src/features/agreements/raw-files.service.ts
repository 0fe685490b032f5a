/** Takes uploaded files: looked at before anything is kept, then stored encrypted under the document's key. */
import { createReadStream } from 'node:fs';
import { payloadTooLarge } from '@karaar/platform/errors';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { fileRefused } from './agreement.errors.ts';
import type { NewRawFile, RawFileRow } from './agreements.repository.ts';

const MIB = 1024 * 1024;
type Inspected = { file: SpooledFile; kind: RawFileRow['kind']; pages: number | null };
export type TakenFiles = {
  files: NewRawFile[];
  /** Removes the stored files again; call it when what they were for did not happen. */
  discard: () => Promise<void>;
};

/**
 * Throws 413 above the configured limits, 422 naming the file that is empty, broken, locked with a password,
 * carries macros or is of another type. `keptBytes` are those of files that the document has already.
 */
export async function inspectRawFiles(
  ctx: Context,
  files: readonly SpooledFile[],
  keptBytes = 0,
): Promise<Inspected[]> {
  const { UPLOAD_FILE_MAX_MB, UPLOAD_TOTAL_MAX_MB } = ctx.config;
  const large = files.find((file) => file.size > UPLOAD_FILE_MAX_MB * MIB);
  if (large) {
    const msg = `'${large.filename}' is too large. A file may have ${UPLOAD_FILE_MAX_MB} MB at most.`;
    throw payloadTooLarge('file_too_large', [{ loc: large.field, msg, file: large.filename }]);
  }
  const total = files.reduce((sum, file) => sum + file.size, keptBytes);
  if (total > UPLOAD_TOTAL_MAX_MB * MIB) {
    throw payloadTooLarge(
      'files_too_large',
      `All files together may have ${UPLOAD_TOTAL_MAX_MB} MB at most.`,
    );
  }
  const inspected: Inspected[] = [];
  // One after the other: what a request can make us hold stays what one file needs.
  for (const file of files) {
    if (file.size === 0) throw fileRefused('empty', file.filename, `${file.filename} is empty.`);
    const kind = acceptedKind(file);
    const look = await ctx.renderer.inspectUpload({ name: file.filename, kind, path: file.path });
    if (look.fault) throw fileRefused(look.fault, file.filename, look.reason ?? file.filename);
    inspected.push({ file, kind, pages: look.pages ?? null });
  }
  return inspected;
}

/** Stores inspected files. A failure midway leaves nothing. */
export async function storeRawFiles(
  ctx: Context,
  documentId: string,
  inspected: readonly Inspected[],
): Promise<TakenFiles> {
  const files: NewRawFile[] = [];
  const discard = async () => {
    await Promise.all(files.map((file) => ctx.blobs.delete(file.path)));
  };
  try {
    for (const { file, kind, pages } of inspected) {
      const blob = await ctx.blobs.put(documentId, createReadStream(file.path), { mime: file.mime });
      const { filename: name, mime, size, sha256 } = file;
      files.push({ name, kind, mime, size, sha256, path: blob.path, pages });
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { files, discard };
}

/** PDF, DOC, DOCX, PNG or JPEG (spec §5), by content. */
function acceptedKind(file: SpooledFile): RawFileRow['kind'] {
  if (file.kind === 'other' || (file.kind === 'image' && !/^image\/(png|jpeg)$/.test(file.mime))) {
    throw fileRefused('kind', file.filename, `${file.filename} is no PDF, DOC, DOCX, PNG or JPEG file.`);
  }
  return file.kind;
}
