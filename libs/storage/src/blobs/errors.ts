export type BlobErrorCode =
  /** The path has no blob (never stored, deleted, or its owner's key was erased). */
  | 'blob_not_found'
  /** The stored bytes differ from the written ones: altered, truncated, reordered, or from another path. */
  | 'blob_corrupt'
  /** The owner was erased during a write; no readable data was left. */
  | 'blob_owner_erased'
  /** The wrapped key names a KEK that this process does not have. */
  | 'blob_kek_unknown'
  | 'blob_bad_path'
  | 'blob_bad_range'
  | 'blob_link_invalid'
  | 'blob_link_expired';

/** An error of a blob store. Its message may contain paths and key ids, never content or keys. */
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
