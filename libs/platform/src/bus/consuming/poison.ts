/** What a handler's error means for the message: drop it to the dead letters, or try again. */
import { AppError } from '../../errors/index.ts';

/** Thrown by a handler for an event that no retry will help. It goes to the dead letters at once. */
export class PoisonMessage extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'PoisonMessage';
  }
}

/** Client errors that time can heal: timeout, conflict with a concurrent change, too early, rate limit. */
const RETRYABLE = new Set([408, 409, 425, 429]);

/** Whether a retry is pointless: PoisonMessage, or an AppError 4xx other than 408, 409, 425 and 429. */
export function isPoison(error: unknown): boolean {
  if (error instanceof PoisonMessage) return true;
  return (
    error instanceof AppError && error.status >= 400 && error.status < 500 && !RETRYABLE.has(error.status)
  );
}
