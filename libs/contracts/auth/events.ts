/** Events that the auth service publishes; aggregateId is the user id, of `adminActed` the audit entry's. */
import { Type } from 'typebox';
import { defineEvent, IsoDateTime, nullable } from '../kit.ts';

/**
 * Only the user's id: an event stays at the broker for 30 days, and in outboxes and dead letters, where a name could
 * not be erased. A service that needs the user calls `authRpc.findUser`.
 */
const AboutUser = Type.Object({ user_id: Type.String() });

export const authEvents = {
  userRegistered: defineEvent({ type: 'auth.user.registered', version: 2, data: AboutUser }),
  userUpdated: defineEvent({ type: 'auth.user.updated', version: 2, data: AboutUser }),
  /** A user has signed in on a device that none of the user's recorded sessions used; the aggregate is the session. */
  sessionOpened: defineEvent({
    type: 'auth.session.opened',
    version: 1,
    data: Type.Object({ user_id: Type.String(), session_id: Type.String() }),
  }),
  /** A user has downloaded what Karaar keeps about the user; the aggregate is this export. */
  dataExported: defineEvent({ type: 'auth.data.exported', version: 1, data: AboutUser }),
  /**
   * A user's number was changed, or is to be changed after the waiting time because the present one is lost; the aggregate is
   * this change.
   */
  phoneChanged: defineEvent({
    type: 'auth.phone.changed',
    version: 1,
    data: Type.Object({ user_id: Type.String(), action: Type.Enum(['move_asked', 'changed']) }),
  }),
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
