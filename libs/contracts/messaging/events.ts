/**
 * Events that the messaging service publishes; aggregateId is the conversation's id, the version its newest
 * message.
 */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';

export const messagingEvents = {
  /** A user has not read a known contact's messages for a while. Published once until the user reads them. */
  leftUnread: defineEvent({
    type: 'messaging.messages.left-unread',
    version: 1,
    data: Type.Object({ user_id: Type.String(), other_id: Type.String() }),
  }),
} as const;
