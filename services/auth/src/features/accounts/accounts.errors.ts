import { badRequest, conflict, forbidden, invalid, notFound } from '@karaar/base/errors';

export const phoneTaken = () =>
  conflict('phone_taken', 'This phone number already has an account. Sign in instead.');
export const proofEnded = () =>
  badRequest(
    'contact_proof_ended',
    'Your number was proved too long ago, or you have entered another one. Open the link of the invitation again.',
  );
export const emailTaken = () => conflict('email_taken', 'This e-mail address already has an account.');
export const userNotFound = () => notFound('user_not_found', 'User not found');
export const deactivated = () =>
  forbidden('deactivated', 'This account is deactivated. Contact support to have it opened again.');
export const ownNumberRequired = () =>
  forbidden(
    'own_number_required',
    'Please confirm this by a code that we send to your present phone number.',
  );
export const notAnImage = () => invalid([{ loc: 'govt_id_image', msg: 'Please select an image file' }]);
export const phoneNeedsCode = () =>
  invalid([{ loc: 'phone_no', msg: 'Another number is confirmed by a code first. Use Change number.' }]);
export const idNumberNeeded = () => invalid([{ loc: 'govt_id_number', msg: 'Enter the number of this ID' }]);
export const idNumberUnfit = () =>
  invalid([{ loc: 'govt_id_number', msg: 'This is not a number of this kind of ID. Check each character' }]);
