import { AppError, badRequest, conflict, forbidden, invalid, notFound } from '@karaar/base/errors';

export const badContact = () =>
  invalid([{ loc: 'contact', msg: 'Enter a 10-digit phone number or an e-mail address' }]);
export const alreadyInvited = () =>
  conflict(
    'already_invited',
    'An invitation to this contact is already waiting. Send it again or withdraw it.',
  );
export const invitationNotFound = () =>
  notFound('invitation_not_found', 'This invitation was accepted or withdrawn.');
export const contactErased = () =>
  conflict(
    'contact_erased',
    'The contact of this old invitation was erased. Withdraw it and send a new one.',
  );
export const stopLinkInvalid = () =>
  badRequest('stop_link_invalid', 'This link does not work. Open it again from the message.');
export const handedOnBefore = () =>
  conflict('handed_on_before', 'You have already asked the sender twice. Please wait for their decision.');
/** The same answer for a link that is unknown, withdrawn or used by another user. */
export const linkEnded = () =>
  notFound('invitation_ended', 'This invitation does not work any more. Ask the sender for a new one.');
export const linkCancelled = () =>
  new AppError(410, 'invitation_cancelled', 'The document of this invitation was cancelled by its creator.');
export const linkExpired = () =>
  new AppError(410, 'invitation_expired', 'This invitation has expired. Ask the sender to send it again.');
export const forAnother = () =>
  forbidden(
    'invitation_for_another',
    'This invitation is for another phone number or e-mail address than yours. Only the invited person can use it.',
  );
