import { Type } from 'typebox';
import { defineRpc, nullable } from '../kit.ts';
import { LANGUAGES } from '../limits.ts';
import { SERVICE_NAMES } from '../names.ts';

/** The data of a user for other services; the shape of their local directories. */
export const DirectoryUser = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone_no: Type.String(),
  is_active: Type.Boolean(),
  profile_complete: Type.Boolean(),
  /** The user's language; null if unknown. Data from before the field existed lacks it. */
  language: Type.Optional(nullable(Type.Enum([...LANGUAGES]))),
  /** Incremented by every change of the user; a directory drops older versions. */
  version: Type.Integer(),
});

export const authRpc = {
  sessionStatus: defineRpc({
    subject: 'rpc.auth.session-status.v1',
    request: Type.Object({ session_id: Type.String() }),
    response: Type.Object({ active: Type.Boolean() }),
    timeoutMs: 1_000,
    callers: ['gateway', ...SERVICE_NAMES],
  }),
  findUser: defineRpc({
    subject: 'rpc.auth.find-user.v1',
    request: Type.Object({
      user_id: Type.Optional(Type.String()),
      char_id: Type.Optional(Type.String()),
    }),
    response: Type.Object({ user: nullable(DirectoryUser) }),
    timeoutMs: 2_000,
    callers: ['documents', 'messaging', 'notifications', 'payments', 'wallet'],
  }),
  /** Checks whether a proof shows that its holder has verified the contact of this invitation. */
  invitationProof: defineRpc({
    subject: 'rpc.auth.invitation-proof.v1',
    request: Type.Object({ invitation_id: Type.String(), proof_hash: Type.String() }),
    response: Type.Object({ proved: Type.Boolean() }),
    timeoutMs: 2_000,
    callers: ['documents'],
  }),
  /** Returns an admin's name, for other services' records of that admin's actions. */
  findAdmin: defineRpc({
    subject: 'rpc.auth.find-admin.v1',
    request: Type.Object({ admin_id: Type.String() }),
    response: Type.Object({ admin: nullable(Type.Object({ username: Type.String() })) }),
    timeoutMs: 2_000,
    callers: ['cms', 'payments'],
  }),
} as const;
