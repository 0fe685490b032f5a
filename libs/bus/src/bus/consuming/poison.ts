/** Decides whether a handler's error makes the message a dead letter or leads to a retry. */
import { AppError } from '@karaar/base/errors';

/** Thrown by a handler for an event that no retry can help. It becomes a dead letter at once. */
export class PoisonMessage extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'PoisonMessage';
  }
}

/** Client errors that may pass: timeout, conflict with a concurrent change, too early, rate limit. */
const RETRYABLE = new Set([408, 409, 425, 429]);

/**
 * Returns true if a retry is pointless: PoisonMessage, or an AppError 4xx other than 408, 409, 425 and 429.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof PoisonMessage) return true;
  return (
    error instanceof AppError && error.status >= 400 && error.status < 500 && !RETRYABLE.has(error.status)
  );
}
