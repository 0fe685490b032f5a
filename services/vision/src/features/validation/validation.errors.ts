import { AppError, invalid } from '@karaar/platform/errors';

/** 422 in the shape of the other faults of a form. */
export const unreadableImage = (): AppError =>
  invalid([{ loc: 'image', msg: 'must be a readable still image (PNG, JPEG or WebP)' }]);

/** 503 with `Retry-After`: more photos wait than the service takes on. */
export const busy = (): AppError =>
  new AppError(
    503,
    'vision_busy',
    'Too many photos are being checked right now. Please try again in a moment.',
    {
      headers: { 'retry-after': '1' },
    },
  );

/** 503: this photo got no verdict; another try gets a fresh worker. */
export const notJudged = (cause: unknown): AppError =>
  new AppError(503, 'vision_failed', 'This photo could not be checked. Please try again.', {
    headers: { 'retry-after': '1' },
    cause,
  });
