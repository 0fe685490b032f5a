import { ApiError } from '@karaar/api-client';

const TRIES = 3;
/** Up to this many seconds the screen waits and retries; after a longer pause the user decides. */
const LONGEST_PAUSE_S = 5;

const pauseOf = (error: Error) =>
  error instanceof ApiError && error.status === 503 ? error.retryAfterS : undefined;

/** Returns true if a photo is submitted again: the server is busy for a short time. */
export const checkAgain = (failures: number, error: Error): boolean =>
  failures < TRIES - 1 && (pauseOf(error) ?? Infinity) <= LONGEST_PAUSE_S;

/** Returns the milliseconds until the retry, randomised to spread simultaneous retries. */
export const checkAgainMs = (_failures: number, error: Error): number =>
  (pauseOf(error) ?? 1) * 1_000 * (1 + Math.random() / 2);
