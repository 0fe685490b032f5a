import { badRequest, conflict, notFound, unauthorized } from '@karaar/base/errors';

export const invalidCredentials = () => unauthorized('invalid_credentials', 'Invalid admin credentials');
export const totpRequired = () =>
  unauthorized('totp_required', 'Enter the 6-digit code of your authenticator app, or a recovery code.');
export const totpWrong = () =>
  unauthorized('totp_wrong', 'This code is wrong or was used already. Wait for the next one.');
export const codeWrong = () =>
  badRequest('totp_wrong', 'This code is wrong. Check the time of your phone and try the next one.');
export const passwordWrong = () => badRequest('password_wrong', 'This password is wrong.');
export const nothingPending = () =>
  conflict('totp_not_enrolling', 'Begin with setting up the authenticator app first.');
export const noSuchLetter = () =>
  notFound('dead_letter_gone', 'This failed event is not there any more. Load the list again.');
export const noSuchUser = () => notFound('user_not_found', 'User not found');
