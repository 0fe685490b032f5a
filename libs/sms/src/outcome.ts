import { AppError } from '@karaar/base/errors';
import type { SmsFailure } from '@karaar/contracts/sms';

/**
 * The outcome of a message that was not accepted: `refused` permanently (wrong number, wrong account),
 * `not-sent` (the provider did not accept it, a retry is safe), `unknown` (it may have been sent).
 */
export type SmsOutcome = 'refused' | 'not-sent' | 'unknown';

const DETAIL = 'The text message could not be sent. Please try again in a moment.';

/** 503 `sms_unavailable`. It contains neither phone nor text, so it may be logged and shown. */
export class SmsError extends AppError {
  readonly outcome: SmsOutcome;
  readonly providerStatus: number;
  /** Seconds that the provider asks to wait. */
  readonly retryAfterS: number | undefined;
  /** Why the provider refused the receiver's number; undefined for any other reason. */
  readonly refusal: SmsFailure | undefined;

  constructor(
    outcome: SmsOutcome,
    options: {
      providerStatus?: number;
      retryAfterS?: number | undefined;
      refusal?: SmsFailure | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(503, 'sms_unavailable', DETAIL, { cause: options.cause });
    this.name = 'SmsError';
    this.outcome = outcome;
    this.providerStatus = options.providerStatus ?? 0;
    this.retryAfterS = options.retryAfterS;
    this.refusal = options.refusal;
  }
}
