/** What the gateway answers in place of a service. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, payloadTooLarge } from '@karaar/platform/errors';
import { label, sendError } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { retryAfterS } from '../shedding/retry-after.ts';

const soon = () => ({ headers: { 'retry-after': String(retryAfterS('vital')) } });

/** 413 that says how much may be sent. */
export function bodyTooLarge(maxBytes: number): AppError {
  const mb = Math.max(1, Math.floor(maxBytes / 1_048_576));
  return payloadTooLarge('payload_too_large', `This is too large: at most ${mb} MB can be sent here.`);
}

/** @param title the service, as it begins a sentence */
export function unavailableNow(title: string): AppError {
  const detail = `${title} is not available right now. Please try again in a moment.`;
  return new AppError(503, 'service_unavailable', detail, soon());
}

/** @param title the service, as it begins a sentence */
export function tooLate(title: string): AppError {
  const detail = `${title} is taking too long to answer. Please try again in a moment.`;
  return new AppError(503, 'deadline_exceeded', detail, soon());
}

export function uploadStalled(): AppError {
  const detail = 'The upload stopped before it was complete. Please try again.';
  return new AppError(408, 'upload_stalled', detail);
}

type Refused = { req: IncomingMessage; res: ServerResponse; requestId: string; defaults: readonly Header[] };

/** The body must be let go before: the rest of it is read away so that the browser gets to see the answer. */
export function refuse({ req, res, requestId, defaults }: Refused, error: AppError): void {
  if (!res.headersSent) {
    res.setHeader('x-request-id', requestId);
    label(res, defaults);
  }
  sendError(req, res, error);
}
