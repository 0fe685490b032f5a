/** The limit on how many strangers a user may write to, so that users are not flooded with unwanted chats. */
import { AppError } from '@karaar/base/errors';

/** The most strangers without an answer within an hour and within a day. */
export type ApproachLimits = { perHour: number; perDay: number };

const HOUR_MS = 60 * 60_000;

/**
 * Returns the error for a sender at the limit.
 * @param waitMs milliseconds until the sender may write to another stranger
 */
export function tooManyStrangers(waitMs: number): AppError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const hours = Math.ceil(waitMs / HOUR_MS);
  const later = minutes <= 90 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : `${hours} hours`;
  return new AppError(
    429,
    'too_many_strangers',
    'You have written to many people you share no agreement with, and they have not answered yet. ' +
      `You can write to somebody new again in ${later}, or as soon as some of them answer.`,
    { headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) } },
  );
}
