import type { Urgency } from '@karaar/contracts/urgency';
import { AppError, payloadTooLarge, tooManyRequests } from '@karaar/base/errors';
import { retryAfterS } from '../shedding/index.ts';

/** Returns a 413 that states the limit in whole MiB, rounded down and at least 1. */
export function bodyTooLarge(maxBytes: number): AppError {
  const mb = Math.max(1, Math.floor(maxBytes / 1_048_576));
  return payloadTooLarge('payload_too_large', `This is too large: at most ${mb} MB can be sent here.`);
}

const later = (urgency: Urgency) => ({ headers: { 'retry-after': String(retryAfterS(urgency)) } });

/** @param title the service's name at the start of a sentence */
export function unavailableNow(title: string): AppError {
  const detail = `${title} is not available right now. Please try again in a moment.`;
  return new AppError(503, 'service_unavailable', detail, later('vital'));
}

/** Returns a 503 with `Retry-After`, for a WebSocket that cannot be opened now. */
export const noSocketNow = (detail: string): AppError =>
  new AppError(503, 'service_unavailable', detail, later('usual'));

/** The service did not answer, or stopped reading an upload, before the deadline. */
export class TooLate extends AppError {
  constructor(title: string) {
    const detail = `${title} is taking too long to answer. Please try again in a moment.`;
    super(503, 'deadline_exceeded', detail, later('vital'));
  }
}

/** Returns a 408, for a body that arrives below the minimum rate (`BodyRules`). */
export const uploadStalled = (): AppError =>
  new AppError(408, 'upload_stalled', 'The upload stopped. Please check your connection and try again.');

/** For an address or user that has reached its limit of requests in progress. */
export const tooManyAtOnce = () =>
  tooManyRequests(
    'Too many uploads and downloads are under way at once. Please wait until one of them is done.',
    retryAfterS('usual'),
  );

/** Returns a 429 whose `Retry-After` is `waitMs` in whole seconds, rounded up and at least 1. */
export const tooOften = (waitMs: number) =>
  tooManyRequests('Too many requests. Please wait a moment and try again.', waitMs / 1_000);
