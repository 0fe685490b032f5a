import { AppError, notFound } from '@karaar/base/errors';

/** The same answer for an unknown code and an unsealed document, so that codes cannot be guessed. */
export const notSealed = () => notFound('not_sealed', 'No sealed document has this code.');

export const verifyBusy = () =>
  new AppError(
    503,
    'verify_busy',
    'Too many files are being checked right now. Please try again in a moment.',
    { headers: { 'retry-after': '5' } },
  );
