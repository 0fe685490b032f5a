/** Facts that the auth service publishes; aggregateId is the user id. */
import { defineEvent } from '../kit.ts';
import { DirectoryUser } from './rpc.ts';

export const authEvents = {
  userRegistered: defineEvent({ type: 'auth.user.registered', version: 1, data: DirectoryUser }),
  userUpdated: defineEvent({ type: 'auth.user.updated', version: 1, data: DirectoryUser }),
} as const;
