/**
 * The reasons why a file or a final PDF could not be made. The codes are stable: jobs store them and screens
 * translate them.
 */
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

/** The input is at fault: a retry with the same bytes fails again. */
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

/** A file or a page could not be rendered. `message` names the file and never carries its content. */
export class RenderError extends Error {
  readonly code: RenderErrorCode;
  /** The name of the file at fault, as uploaded; undefined if no single file is at fault. */
  readonly file: string | undefined;
  /** True if the same input may succeed later (for example after a browser crash). */
  readonly retryable: boolean;

  constructor(code: RenderErrorCode, message: string, options: { file?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RenderError';
    this.code = code;
    this.file = options.file;
    this.retryable = !PERMANENT.includes(code);
  }
}
