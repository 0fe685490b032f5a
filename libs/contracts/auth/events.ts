/**
 * Events that the auth service publishes; aggregateId is the user id, for `adminActed` the id of the audit
 * entry.
 */
import { Type } from 'typebox';
import { defineEvent, IsoDateTime, nullable } from '../kit.ts';

/**
 * Only the user's id: the broker keeps an event for 30 days, and outboxes and dead letters keep it too, where
 * a name could not be erased. A service that needs the user calls `authRpc.findUser`.
 */
const AboutUser = Type.Object({ user_id: Type.String() });

export const authEvents = {
  userRegistered: defineEvent({ type: 'auth.user.registered', version: 2, data: AboutUser }),
  userUpdated: defineEvent({ type: 'auth.user.updated', version: 2, data: AboutUser }),
  /**
   * A user has signed in on a device that none of the user's recorded sessions used; the aggregate is the
   * session.
   */
  sessionOpened: defineEvent({
    type: 'auth.session.opened',
    version: 1,
    data: Type.Object({ user_id: Type.String(), session_id: Type.String() }),
  }),
  /** A user has downloaded the user's own data; the aggregate is this export. */
  dataExported: defineEvent({ type: 'auth.data.exported', version: 1, data: AboutUser }),
  /**
   * A user's number was changed, or will be changed after the waiting time because the current one is lost;
   * the aggregate is this change.
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
