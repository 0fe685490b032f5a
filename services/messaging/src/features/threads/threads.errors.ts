import { badRequest, forbidden, notFound } from '@karaar/base/errors';

export const userNotFound = () => notFound('user_not_found', 'User not found');
export const blockedByReceiver = () => forbidden('blocked', 'You cannot message this person.');
export const receiverBlocked = () =>
  forbidden('receiver_blocked', 'You have blocked this person. Unblock them to send a message.');
export const receiverGone = () =>
  forbidden('receiver_gone', 'This account is closed and cannot receive messages.');
export const badCursor = () =>
  badRequest('bad_cursor', 'This page of the list does not exist. Start again from the first one.');
