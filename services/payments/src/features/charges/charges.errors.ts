/** The refusals of a charge; the texts are the spec's (§5 Distribution, Payment). */
import {
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  tooManyRequests,
  unprocessable,
} from '@karaar/base/errors';

export const documentNotFound = () => notFound('document_not_found', 'Document not found');
export const paymentNotFound = () => notFound('payment_not_found', 'This payment does not exist.');
export const notInvolved = () => forbidden('not_involved', 'You are not a party of this document.');
export const notPrimary = () =>
  forbidden('not_primary', 'Only the primary user can set up the payment distribution.');
export const notYours = () => forbidden('not_yours', 'This payment belongs to another user.');
export const noShare = () => forbidden('no_share', 'Only the primary user can pay for this document');
export const notVerified = () => conflict('not_verified', 'Both users must be verified before payment');
export const notApproved = () =>
  conflict('not_approved', 'Payment can be set up after the document is approved.');
/** The client looks for 'distribution not setup' in the text (spec §4 Payment). */
export const notSetUp = () =>
  conflict('distribution_not_setup', 'Payment distribution not setup for this document');
export const nothingToPay = () => badRequest('nothing_to_pay', 'No payable amount found');
export const alreadyPaid = () =>
  conflict(
    'already_paid',
    'A share of this document is paid or being paid; the distribution can no longer change.',
  );
export const changingNow = () =>
  conflict('changed_meanwhile', 'This document is being changed right now. Please try again in a moment.');
export const tooManyUnfunded = () =>
  tooManyRequests(
    'Too many payments in a row were not covered by your wallet. Top it up, and try again in an hour.',
    3_600,
  );
export const paymentFailed = () => conflict('payment_failed', 'This payment failed. Please start a new one.');
export const paymentReversed = () =>
  conflict('payment_reversed', 'This payment was reversed: its money is back in the wallet.');
export const sumsDiffer = () =>
  conflict(
    'amount_differs',
    'The amount or the number of days differs from the calculation. Reload the page and try again.',
  );

export const otherDocument = () =>
  invalid([{ loc: 'document_id', msg: 'is not the document of this address' }]);

export const overHundred = () => unprocessable('over_hundred', 'Total percentage cannot exceed 100%');
export const unequalHundred = () => unprocessable('unequal_hundred', 'Total percentage must equal 100%');
export const percentageOutside = () =>
  unprocessable('percentage_outside', 'Each percentage must be between 0 and 100.');
export const twice = () => unprocessable('user_twice', 'A user is in the distribution twice.');
export const shareOfStranger = () =>
  unprocessable('share_of_stranger', 'Only parties of the document can have a share.');
