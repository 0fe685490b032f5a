/** The refusal of a file, from the renderer's error. */
import { RenderError, type RenderErrorCode } from '@karaar/rendering';
import type { FileRefusal } from '../agreements/rules/agreement.errors.ts';

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

/** Undefined for errors that are not the file's fault: the same file may be accepted later. */
export function refusalOf(error: unknown): { why: FileRefusal; reason: string } | undefined {
  const why = error instanceof RenderError ? REFUSALS[error.code] : undefined;
  return why && { why, reason: (error as RenderError).message };
}
