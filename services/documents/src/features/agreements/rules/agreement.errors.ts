/** Every refusal of the agreement rules, with a stable code and a text for the person who meets it. */
import type { LeftOut } from '@karaar/contracts/documents/http';
import {
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  unprocessable,
  type Fault,
} from '@karaar/platform/errors';

export const documentNotFound = () => notFound('document_not_found', 'Document not found');
export const codeNotFound = () =>
  notFound('document_code_not_found', 'No document has this code. Check it with the person who sent it.');
export const fileNotFound = () => notFound('file_not_found', 'This document has no such file.');
export const userNotFound = () =>
  notFound('user_not_found', 'No user has this ID. Check it with the other person.');
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
export const sameKeyOtherRequest = () =>
  conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new one for a new request.',
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
/** @param share a sentence that names the share of the person */
export const shareOpen = (share: string) =>
  conflict(
    'share_open',
    `${share} Set the shares up without this person first; a share that is paid or being paid stays.`,
  );
/** @param shares a sentence for each share that is paid or being paid */
export const shareTaken = (shares: string) =>
  conflict('share_taken', `You cannot withdraw from this document any more. ${shares}`);
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
export const profileIncomplete = () =>
  forbidden('profile_incomplete', 'Please complete your basic profile information first');

export const filesMissing = () =>
  invalid([{ loc: 'raw_documents', msg: 'Please upload at least one document' }]);

/** Each with a code of its own: readers of other languages get the code in words, with the file's name. */
const REFUSED_FILES = {
  empty: (faults: Fault[]) => unprocessable('file_empty', faults),
  kind: (faults: Fault[]) => unprocessable('file_kind', faults),
  locked: (faults: Fault[]) => unprocessable('file_locked', faults),
  broken: (faults: Fault[]) => unprocessable('file_broken', faults),
  letters: (faults: Fault[]) => unprocessable('file_letters', faults),
  cipher: (faults: Fault[]) => unprocessable('file_cipher', faults),
  fonts: (faults: Fault[]) => unprocessable('file_fonts', faults),
  collection: (faults: Fault[]) => unprocessable('file_collection', faults),
  attachments: (faults: Fault[]) => unprocessable('file_attachments', faults),
  xfa: (faults: Fault[]) => unprocessable('file_xfa', faults),
  macros: (faults: Fault[]) => unprocessable('file_macros', faults),
  large: (faults: Fault[]) => unprocessable('file_large', faults),
};
export type FileRefusal = keyof typeof REFUSED_FILES;

/** 422 for an uploaded file that cannot become pages. @param msg names it too */
export const fileRefused = (why: FileRefusal, file: string, msg: string) =>
  REFUSED_FILES[why]([{ loc: 'raw_documents', msg, file }]);

/** 422 for a file of a kind that is not kept beside the sealed PDF. */
export const finalFileRefused = (file: string) =>
  unprocessable('final_file_kind', [
    {
      loc: 'final_documents',
      msg: `"${file}" cannot be added. PDF, DOC, DOCX, PNG, JPEG and plain text files can.`,
      file,
    },
  ]);

/** 422 for a file of which pages would be kept as pictures, and whose sender has not accepted that. */
export const picturesNotAccepted = (file: string, pages: readonly number[]) =>
  unprocessable('pictures_not_accepted', [
    {
      loc: 'accepted_pictures',
      msg: `${pagesOf(file, pages)} would be kept as ${pages.length === 1 ? 'a picture' : 'pictures'} of what viewers show. Please look and accept that, or choose another file.`,
      file,
    },
  ]);

/** The parts of a file that its sealed pages do not hold. */
const PARTS: Record<LeftOut, string> = {
  signatures: 'digital signatures',
  scripts: 'scripts',
  xfa: 'form data for Adobe software (XFA)',
  hidden: 'hidden text or layers',
  comments: 'comments',
  media: 'film, sound or 3D',
  objects: 'files of other programs',
  linked: 'pictures or files that are only linked',
  frames: 'all pictures of an animation but the first',
};

const partsOf = (parts: readonly LeftOut[]): string => parts.map((part) => PARTS[part]).join(', ');

/** 422 for a file of which parts would be left out, and whose sender has not accepted that. */
export const leftOutNotAccepted = (file: string, parts: readonly LeftOut[]) =>
  unprocessable('left_out_not_accepted', [
    {
      loc: 'accepted_left_out',
      msg: `"${file}" would be sealed without: ${partsOf(parts)}. Please look and accept that, or choose another file.`,
      file,
    },
  ]);

/** `"deed.pdf" is sealed without: digital signatures`. */
export const withoutParts = (file: string, parts: readonly LeftOut[]): string =>
  `"${file}" is sealed without: ${partsOf(parts)}`;

/** `Page 3 of "lease.pdf"`. */
const pagesOf = (file: string, pages: readonly number[]): string =>
  `${pages.length === 1 ? 'Page' : 'Pages'} ${pages.join(', ')} of "${file}"`;

/** `Page 3 of "lease.pdf" is kept as a picture`. */
export const asPictures = (file: string, pages: readonly number[]): string =>
  `${pagesOf(file, pages)} ${pages.length === 1 ? 'is kept as a picture' : 'are kept as pictures'}`;

/** A fault of one field, in the shape of a validation answer. */
export const fieldFault = (loc: string, msg: string) => invalid([{ loc, msg }]);

export const badAnswerBy = () => fieldFault('answer_by', 'Choose a day from today to one year from today');
