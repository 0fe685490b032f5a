/** Refusals of a confirmation; `@karaar/service/step-up` has those of the act itself. */
import { conflict, unprocessable } from '@karaar/base/errors';

export const withoutKey = () =>
  conflict('step_up_without_key', 'You have no passkey for signing. Nothing has to be confirmed.');
export const notConfirmed = () =>
  unprocessable(
    'step_up_not_signed',
    'Your passkey did not confirm this in time. Nothing was done. Please try again.',
  );
