import { badRequest, conflict, notFound, unauthorized } from '@karaar/base/errors';

export const passkeyRequired = () => unauthorized('passkey_required', 'Continue with your passkey.');
export const passkeyRefused = () =>
  unauthorized('passkey_refused', 'This passkey could not be checked. Please try again.');
export const passkeyNotAdded = () =>
  badRequest('passkey_not_added', 'This passkey could not be added. Please try again.');
export const passkeyKnown = () => conflict('passkey_known', 'This passkey has been added already.');
export const noSuchPasskey = () => notFound('passkey_not_found', 'Passkey not found');
export const lastPasskey = () =>
  conflict('last_passkey', 'This is your last passkey. Add another one before you remove it.');
