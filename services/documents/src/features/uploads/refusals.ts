import { unprocessable, type Fault } from '@karaar/base/errors';
import { RenderError, type RenderErrorCode } from '@karaar/rendering';

/** Each refusal has its own code, which clients translate and show with the file's name. */
const REFUSED_FILES = {
  empty: (faults: Fault[]) => unprocessable('file_empty', faults),
  kind: (faults: Fault[]) => unprocessable('file_kind', faults),
  locked: (faults: Fault[]) => unprocessable('file_locked', faults),
  broken: (faults: Fault[]) => unprocessable('file_broken', faults),
  letters: (faults: Fault[]) => unprocessable('file_letters', faults),
  cipher: (faults: Fault[]) => unprocessable('file_cipher', faults),
  fonts: (faults: Fault[]) => unprocessable('file_fonts', faults),
  collection: (faults: Fault[]) => unprocessable('file_collection', faults),
  attachments: (faults: Fault[]) => unprocessable('file_attachments', faults),
  xfa: (faults: Fault[]) => unprocessable('file_xfa', faults),
  macros: (faults: Fault[]) => unprocessable('file_macros', faults),
  large: (faults: Fault[]) => unprocessable('file_large', faults),
};
export type FileRefusal = keyof typeof REFUSED_FILES;

/** 422 for an uploaded file that cannot become pages. @param msg includes the file's name */
export const fileRefused = (why: FileRefusal, file: string, msg: string) =>
  REFUSED_FILES[why]([{ loc: 'raw_documents', msg, file }]);

export const finalFileRefused = (file: string) =>
  unprocessable('final_file_kind', [
    {
      loc: 'final_documents',
      msg: `"${file}" cannot be added. PDF, DOC, DOCX, PNG, JPEG and plain text files can.`,
      file,
    },
  ]);

const REFUSALS: Partial<Record<RenderErrorCode, FileRefusal>> = {
  pdf_encrypted: 'locked',
  office_encrypted: 'locked',
  pdf_broken: 'broken',
  image_broken: 'broken',
  office_broken: 'broken',
  office_timeout: 'broken',
  pdf_letters: 'letters',
  pdf_cipher: 'cipher',
  pdf_fonts: 'fonts',
  pdf_collection: 'collection',
  pdf_attachments: 'attachments',
  pdf_xfa: 'xfa',
  office_macros: 'macros',
  too_large: 'large',
};

/** Returns undefined for errors that the file did not cause: the same file may be accepted later. */
export function refusalOf(error: unknown): { why: FileRefusal; reason: string } | undefined {
  const why = error instanceof RenderError ? REFUSALS[error.code] : undefined;
  return why && { why, reason: (error as RenderError).message };
}
