import { conflict, notFound, unprocessable } from '@karaar/base/errors';

export const keyNotFound = () => notFound('signing_key_not_found', 'You have no such passkey.');
export const tooManyKeys = () =>
  conflict('too_many_keys', 'You have reached the limit of passkeys for signing. Remove one first.');
export const keyKnown = () => conflict('signing_key_known', 'This passkey is already added.');
export const keyNotLogged = () =>
  conflict(
    'signing_key_not_logged',
    'This passkey was just added and is not ready yet. Please try again in a moment.',
  );
export const notMade = () =>
  unprocessable('passkey_not_made', 'The passkey could not be added. Please begin again.');
export const notSigned = () =>
  unprocessable(
    'not_signed',
    'The approval was not signed by your passkey in time. Nothing was approved. Please try again.',
  );
