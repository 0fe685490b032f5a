import { AppError } from '../errors/index.ts';

/**
 * The outcome of a message that was not accepted: `refused` for good (wrong number, wrong account), `not-sent`
 * (the provider never took it, a later attempt is safe), `unknown` (it may be on its way).
 */
export type SmsOutcome = 'refused' | 'not-sent' | 'unknown';

const DETAIL = 'The text message could not be sent. Please try again in a moment.';

/** 503 `sms_unavailable`. Neither the phone nor the text is in it: it may be logged and shown. */
export class SmsError extends AppError {
  readonly outcome: SmsOutcome;
  /** The provider's HTTP status, 0 when there was none. */
  readonly providerStatus: number;
  /** Seconds that the provider asks to wait. */
  readonly retryAfterS: number | undefined;

  constructor(
    outcome: SmsOutcome,
    options: { providerStatus?: number; retryAfterS?: number | undefined; cause?: unknown } = {},
  ) {
    super(503, 'sms_unavailable', DETAIL, { cause: options.cause });
    this.name = 'SmsError';
    this.outcome = outcome;
    this.providerStatus = options.providerStatus ?? 0;
    this.retryAfterS = options.retryAfterS;
  }
}
