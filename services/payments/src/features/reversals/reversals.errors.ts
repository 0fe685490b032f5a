import { conflict, forbidden, notFound } from '@karaar/base/errors';

export const adminGone = () => forbidden('admin_gone', 'This admin account no longer exists.');
export const reversalNotFound = () => notFound('reversal_not_found', 'This reversal does not exist.');
export const notCompleted = () =>
  conflict('payment_not_reversible', 'Only a completed payment can be reversed. No money was moved.');
export const alreadyAsked = () =>
  conflict('reversal_exists', 'A reversal of this payment is already under way. No money was moved again.');
export const sameAdmin = () =>
  forbidden('reversal_same_admin', 'Another admin must confirm this reversal: you have asked for it.');
export const notWaiting = () =>
  conflict('reversal_not_waiting', 'This reversal was already confirmed or declined.');
