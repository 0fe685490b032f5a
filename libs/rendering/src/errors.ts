/** Why a file or a final PDF could not be made. Stable: the job stores it and screens translate it. */
export const RENDER_ERROR_CODES = [
  'pdf_encrypted',
  'pdf_cipher',
  'pdf_broken',
  'pdf_letters',
  'pdf_fonts',
  'pdf_collection',
  'pdf_attachments',
  'pdf_xfa',
  'image_broken',
  'office_encrypted',
  'office_broken',
  'office_macros',
  'office_timeout',
  'too_large',
  'hash_mismatch',
  'browser_failed',
  'engine_failed',
  'timeout',
  'busy',
  'aborted',
] as const;
export type RenderErrorCode = (typeof RENDER_ERROR_CODES)[number];

/** Faults of the input: trying again with the same bytes gives the same answer. */
const PERMANENT: readonly RenderErrorCode[] = [
  'pdf_encrypted',
  'pdf_cipher',
  'pdf_broken',
  'pdf_letters',
  'pdf_fonts',
  'pdf_collection',
  'pdf_attachments',
  'pdf_xfa',
  'image_broken',
  'office_encrypted',
  'office_broken',
  'office_macros',
  'too_large',
  'hash_mismatch',
];

/**
 * A file or a page could not be rendered. `message` is plain text for people and names the file;
 * it never carries the file's content.
 */
export class RenderError extends Error {
  readonly code: RenderErrorCode;
  /** Name of the file at fault, as the user uploaded it; absent when no single file is. */
  readonly file: string | undefined;
  /** Whether the same input may succeed later (a crashed browser) or never will (a broken file). */
  readonly retryable: boolean;

  constructor(code: RenderErrorCode, message: string, options: { file?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RenderError';
    this.code = code;
    this.file = options.file;
    this.retryable = !PERMANENT.includes(code);
  }
}
