/** The errors of the agreement rules, with a stable code and a text for the user. */
import { fieldFault } from '../../../errors.ts';
import { badRequest, conflict, forbidden, invalid, notFound } from '@karaar/base/errors';

export const documentNotFound = () => notFound('document_not_found', 'Document not found');
export const codeNotFound = () =>
  notFound('document_code_not_found', 'No document has this code. Check it with the person who sent it.');
export const fileNotFound = () => notFound('file_not_found', 'This document has no such file.');
export const partyNotFound = () => notFound('party_not_found', 'This user is not part of the document.');

export const notPrimary = () =>
  forbidden('not_primary', 'Only the person who created this document can do that.');
export const notInvolved = () => forbidden('not_involved', 'You are not a party of this document.');
export const ownApprovalOnly = () =>
  forbidden('own_approval_only', 'You can only give your own approval here.');

export const alreadyParty = () => conflict('already_party', 'This user is already part of the document.');
export const ownInvitation = () =>
  conflict('own_invitation', 'You have created this document: the invitation is for somebody else.');
export const tooManyOpen = () =>
  conflict(
    'too_many_open_invitations',
    'Too many invitations to this document are unanswered. Withdraw one before you send another.',
  );
export const alreadyDecided = (detail: string) => conflict('already_decided', detail);
export const documentClosed = () =>
  conflict('document_finalized', 'This document is finalized and can no longer be changed.');
export const beingFinalized = () =>
  conflict('being_finalized', 'This document is being finalized. Please wait until that has ended.');
export const attachedTooLate = () =>
  conflict(
    'attached_too_late',
    'This document was already being finalized, so these files were not added to it.',
  );
export const documentRejected = () =>
  conflict(
    'document_rejected',
    'A party rejected this document. Remove or invite that party again before going on.',
  );
export const documentCancelled = () =>
  conflict(
    'document_cancelled',
    'This document was cancelled and can no longer be changed. Its creator can correct a copy and send that.',
  );
export const stillDraft = () =>
  conflict('still_draft', 'This document is a draft. Submit it before going on.');
export const alreadySubmitted = () =>
  conflict('already_submitted', 'This document is no longer a draft and cannot be edited.');
export const removedMeanwhile = (own: boolean) =>
  conflict(
    'removed_meanwhile',
    own
      ? 'You are no longer a party of this document. Nothing was sent.'
      : 'This user has just left the document or was removed from it.',
  );
export const notApproved = () =>
  conflict('not_approved', 'Finalize is available after the document is approved.');
export const nothingToAnswer = () =>
  conflict(
    'nothing_to_answer',
    'This user has nothing to answer: only a person whose answer is awaited can be reminded.',
  );
export const noAnswerAwaited = () =>
  conflict(
    'no_answer_awaited',
    'The document does not wait for an answer of this user, so there is nothing to set a date for.',
  );
export const alreadyVerified = () =>
  conflict('already_decided', 'You have already verified. Read the document, then approve or reject it.');
export const verifyFirst = () =>
  conflict('verify_first', 'Please verify with face, eye and signature before approving.');
export const creatorStays = () =>
  forbidden('creator_stays', 'The creator of a document cannot withdraw from it.');
/** @param share a sentence that names the person's share */
export const shareOpen = (share: string) =>
  conflict(
    'share_open',
    `${share} Set the shares up without this person first; a share that is paid or being paid stays.`,
  );
export const shareTaken = (shares: string) =>
  conflict('share_taken', `You cannot withdraw from this document any more. ${shares}`);
export const chargeTaken = (shares: string) =>
  conflict(
    'charge_taken',
    `You cannot cancel this document any more. ${shares} Ask support to return a payment first.`,
  );
export const changedTooOften = () =>
  conflict('changed_meanwhile', 'This document is being changed right now. Please try again in a moment.');
export const documentChanged = () => conflict('document_changed', 'The document has changed: read it again.');
export const partiesChanged = () =>
  conflict(
    'parties_changed',
    'The parties of this document have changed. See who they are before you approve.',
  );
export const notVerified = () =>
  conflict('not_verified', 'This user has not verified with face, eye and signature yet.');
export const filesChanged = () =>
  conflict(
    'files_changed',
    'A file differs from what the parties approved. The document cannot be finalized.',
  );
export const contentChanged = () =>
  conflict('content_changed', 'The document differs from what the parties approved. It cannot be finalized.');
export const notFinalized = () =>
  conflict('not_finalized', 'There is no final PDF before the document is finalized.');

export const cannotRemovePrimary = () =>
  badRequest('cannot_remove_primary', 'The creator of a document cannot be removed from it.');
export const uploadFirst = () =>
  badRequest('upload_first', 'Please upload the document(s) first before approving.');
export const filesMissing = () =>
  invalid([{ loc: 'raw_documents', msg: 'Please upload at least one document' }]);

export const badAnswerBy = () => fieldFault('answer_by', 'Choose a day from today to one year from today');
