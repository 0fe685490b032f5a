export type BlobErrorCode =
  /** There is no blob under this path (never was, deleted, or its owner's key was erased). */
  | 'blob_not_found'
  /** The stored bytes differ from those written: altered, cut, reordered, or from another path. */
  | 'blob_corrupt'
  /** The owner was erased while a write was under way; nothing readable was left. */
  | 'blob_owner_erased'
  /** The wrapped key names a KEK that this process was not given. */
  | 'blob_kek_unknown'
  /** Not a path that `put` returns. */
  | 'blob_bad_path'
  /** The asked byte range lies outside the blob. */
  | 'blob_bad_range'
  /** A link whose signature is missing or is not ours. */
  | 'blob_link_invalid'
  /** A valid link that has expired. */
  | 'blob_link_expired';

/** An error of a blob store. Its message has paths and key ids, never content or keys. */
export class BlobError extends Error {
  readonly code: BlobErrorCode;

  constructor(code: BlobErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobError';
    this.code = code;
  }
}

export function isBlobError(error: unknown, code?: BlobErrorCode): error is BlobError {
  return error instanceof BlobError && (code === undefined || error.code === code);
}
