import { AppError, invalid } from '@karaar/base/errors';

export const unreadableImage = (): AppError =>
  invalid([{ loc: 'image', msg: 'must be a readable still image (PNG, JPEG or WebP)' }]);

/** 503 with `Retry-After`: too many photos are waiting. */
export const busy = (): AppError =>
  new AppError(
    503,
    'vision_busy',
    'Too many photos are being checked right now. Please try again in a moment.',
    {
      headers: { 'retry-after': '1' },
    },
  );

/** 503: the photo got no verdict. A retry gets a new worker. */
export const notJudged = (cause: unknown): AppError =>
  new AppError(503, 'vision_failed', 'This photo could not be checked. Please try again.', {
    headers: { 'retry-after': '1' },
    cause,
  });
