import { badRequest, conflict, notFound, unauthorized, unavailable } from '@karaar/base/errors';

export const orderNotFound = () => notFound('order_not_found', 'This top-up order does not exist.');
export const signatureWrong = () =>
  badRequest('signature_wrong', 'The payment could not be verified. Nothing was credited.');
export const paymentNotCaptured = () =>
  conflict(
    'payment_not_captured',
    'This payment has not arrived yet. Your wallet is topped up automatically when it does; please do not pay again.',
  );
export const paymentUnchecked = (cause: unknown) =>
  unavailable(
    'payment_unchecked',
    'This payment could not be checked right now. Your wallet is topped up automatically as soon as it can be; please do not pay again.',
    cause,
  );
export const webhookSignatureWrong = () =>
  unauthorized('signature_wrong', 'The webhook is not signed by the card provider.');
export const webhookMalformed = () => badRequest('webhook_malformed', 'The webhook cannot be read.');
export const receiptNotCredited = () =>
  notFound('receipt_not_found', 'No captured payment of yours has this receipt.');
export const amountDiffers = () =>
  conflict(
    'amount_differs',
    'The amount paid differs from the order. Nothing was credited; support will look at it.',
  );
export const paymentDecided = () =>
  conflict('payment_decided', 'Support has already decided about this payment. Nothing was credited twice.');
export const ownerGone = () =>
  conflict('owner_deleted', 'The account of this wallet no longer exists. Nothing was credited.');
export const alreadyCredited = () => conflict('already_credited', 'This payment was already credited.');
export const otherPayment = () =>
  conflict(
    'order_already_paid',
    'This order was already paid by another payment. Nothing was credited twice.',
  );
