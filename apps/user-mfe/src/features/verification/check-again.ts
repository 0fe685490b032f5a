import { ApiError } from '@karaar/api-client';

const TRIES = 3;
/** Up to this many seconds the screen waits and checks again by itself; after a longer pause the user decides. */
const LONGEST_PAUSE_S = 5;

const pauseOf = (error: Error) =>
  error instanceof ApiError && error.status === 503 ? error.retryAfterS : undefined;

/** Whether a photo is submitted once more: when the server is busy, and says that it will not be for long. */
export const checkAgain = (failures: number, error: Error): boolean =>
  failures < TRIES - 1 && (pauseOf(error) ?? Infinity) <= LONGEST_PAUSE_S;

/** Milliseconds until then; not the same for all who were turned away together. */
export const checkAgainMs = (_failures: number, error: Error): number =>
  (pauseOf(error) ?? 1) * 1_000 * (1 + Math.random() / 2);
