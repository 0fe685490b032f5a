/** Facts that the auth service publishes; aggregateId is the user id, of `adminActed` the audit entry's. */
import { Type } from 'typebox';
import { defineEvent, IsoDateTime, nullable } from '../kit.ts';
import { DirectoryUser } from './rpc.ts';

export const authEvents = {
  userRegistered: defineEvent({ type: 'auth.user.registered', version: 1, data: DirectoryUser }),
  userUpdated: defineEvent({ type: 'auth.user.updated', version: 1, data: DirectoryUser }),
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
