/** Facts that the auth service publishes; aggregateId is the user id, of `adminActed` the audit entry's. */
import { Type } from 'typebox';
import { defineEvent, IsoDateTime, nullable } from '../kit.ts';

/**
 * Who it is about, no more: an event lies with the broker for 30 days and in outboxes and dead letters, where nobody
 * could erase a name. Who needs the user asks `authRpc.findUser`.
 */
const AboutUser = Type.Object({ user_id: Type.String() });

export const authEvents = {
  userRegistered: defineEvent({ type: 'auth.user.registered', version: 2, data: AboutUser }),
  userUpdated: defineEvent({ type: 'auth.user.updated', version: 2, data: AboutUser }),
  /** The account is gone: erase what is personal, keep what agreements need (names, commitments). */
  userDeleted: defineEvent({
    type: 'auth.user.deleted',
    version: 1,
    data: Type.Object({
      user_id: Type.String(),
      char_id: Type.String(),
      deleted_at: IsoDateTime,
    }),
  }),
  /** A line of the admins' trail. */
  adminActed: defineEvent({
    type: 'auth.admin.acted',
    version: 1,
    data: Type.Object({
      audit_id: Type.String(),
      admin_id: Type.String(),
      action: Type.String(),
      target_id: nullable(Type.String()),
      at: IsoDateTime,
    }),
  }),
} as const;
