import { conflict, forbidden } from '@karaar/base/errors';

/** Returns a 403, for an action without a grant. */
export const stepUpRequired = () => forbidden('step_up_required', 'Please confirm this with your passkey.');
/** Returns a 403, for a grant that is used, expired or invalid for the action. */
export const stepUpRefused = () =>
  forbidden(
    'step_up_refused',
    'Your confirmation has expired or was for something else. Nothing was done. Please confirm again.',
  );
/** @param until ISO 8601 */
export const stepUpWaiting = (until: string | null) =>
  conflict(
    'step_up_waiting',
    `A passkey of yours was removed. For your protection this is possible again ${until ? `from ${inIndia(until)}` : 'later'}.`,
  );

const inIndia = (until: string): string =>
  new Intl.DateTimeFormat('en-IN', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kolkata',
  }).format(new Date(until));
