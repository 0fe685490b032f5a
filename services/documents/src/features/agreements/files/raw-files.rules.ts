/** Which files a document takes, before anything reads them. */
import { payloadTooLarge } from '@karaar/platform/errors';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Config } from '../../../config.ts';
import { fileRefused } from '../rules/agreement.errors.ts';
import type { RawFileRow } from '../agreements.repository.ts';

const MIB = 1024 * 1024;

/** Throws 413 above the configured limits, 422 for an empty file. `keptBytes` are those of files kept already. */
export function requireSizes(
  { UPLOAD_FILE_MAX_MB, UPLOAD_TOTAL_MAX_MB }: Config,
  files: readonly SpooledFile[],
  keptBytes: number,
): void {
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
  const empty = files.find((file) => file.size === 0);
  if (empty) throw fileRefused('empty', empty.filename, `"${empty.filename}" is empty.`);
}

/**
 * PDF, DOC, DOCX, PNG or JPEG (spec §5), by content. What Word saves as RTF under the name of a DOC opens as one
 * everywhere, here too. Throws 422.
 */
export function acceptedKind(file: SpooledFile): RawFileRow['kind'] {
  const { filename, mime, kind } = file;
  const isImage = kind === 'image' && /^image\/(png|jpeg)$/.test(mime);
  const isOtherText = kind === 'doc' && /\/rtf$/.test(mime) && !/\.doc$/i.test(filename);
  if (kind === 'other' || (kind === 'image' && !isImage) || isOtherText) {
    throw fileRefused('kind', filename, `"${filename}" is not a PDF, DOC, DOCX, PNG or JPEG file.`);
  }
  return kind;
}
