/** Events that the notifications service publishes; aggregateId is the user id. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';

export const notificationsEvents = {
  /** A notification was added, or some were read. Versions count per user; the larger one is newer. */
  inboxChanged: defineEvent({
    type: 'notifications.inbox.changed',
    version: 1,
    data: Type.Object({ user_id: Type.String(), unread_count: Type.Integer() }),
  }),
} as const;
