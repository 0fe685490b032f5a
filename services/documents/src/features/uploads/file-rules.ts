import { payloadTooLarge } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import type { Config } from '../../config.ts';
import type { RawFilesTable } from '../../db/schema.ts';
import { fileRefused, finalFileRefused } from './refusals.ts';

const MIB = 1024 * 1024;

/**
 * Throws 413 above the configured limits, 422 for an empty file.
 * @param keptBytes bytes of the files that the document already has
 */
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

/** Systems open a saved file by its extension, so only these are accepted. */
const KEPT_NAME = /\.(pdf|docx?|png|jpe?g|txt)$/i;

/**
 * Checks attachments, which are stored unchanged with the sealed PDF: the types of raw files, and plain text.
 * The other parties have already approved, so a file must not be executable. Throws 413 and 422.
 */
export function requireKept(config: Config, files: readonly SpooledFile[]): void {
  requireSizes(config, files, 0);
  for (const file of files) {
    const { filename, mime, kind } = file;
    const isText = kind === 'other' && mime === 'application/octet-stream' && /\.txt$/i.test(filename);
    const isTaken = KEPT_NAME.test(filename) && (isText || isAccepted(file)) && !/macroenabled/.test(mime);
    if (!isTaken) throw finalFileRefused(filename);
  }
}

/**
 * Returns the type by content: PDF, DOC, DOCX, PNG or JPEG (spec §5). An RTF file named `.doc` counts as DOC,
 * because Word saves such files. Throws 422.
 */
export function acceptedKind(file: SpooledFile): RawFilesTable['kind'] {
  if (isAccepted(file)) return file.kind;
  const { filename } = file;
  throw fileRefused('kind', filename, `"${filename}" is not a PDF, DOC, DOCX, PNG or JPEG file.`);
}

function isAccepted(file: SpooledFile): file is SpooledFile & { kind: RawFilesTable['kind'] } {
  const { filename, mime, kind } = file;
  if (kind === 'image') return /^image\/(png|jpeg)$/.test(mime);
  return kind !== 'other' && !(kind === 'doc' && /\/rtf$/.test(mime) && !/\.doc$/i.test(filename));
}
