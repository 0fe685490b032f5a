export type SealErrorCode =
  | 'key_invalid'
  | 'key_unavailable'
  | 'tsa_unavailable'
  | 'revocation_unavailable'
  | 'revoked'
  | 'not_sealable'
  | 'seal_failed';

const RETRYABLE: readonly SealErrorCode[] = ['tsa_unavailable', 'revocation_unavailable', 'key_unavailable'];

/** The file was not sealed. `message` is plain text without key material. */
export class SealError extends Error {
  readonly code: SealErrorCode;
  /** True if the same call may succeed later, because a server or the device could not be reached. */
  readonly retryable: boolean;

  constructor(code: SealErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SealError';
    this.code = code;
    this.retryable = RETRYABLE.includes(code);
  }
}
