/** Questions that other services ask the auth service. */
import { Type } from 'typebox';
import { defineRpc, nullable } from '../kit.ts';
import { LANGUAGES } from '../limits.ts';
import { SERVICE_NAMES } from '../names.ts';

/** What other services may know of a user; the shape of their local directories. */
export const DirectoryUser = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone_no: Type.String(),
  is_active: Type.Boolean(),
  profile_complete: Type.Boolean(),
  /** The language that the user reads; null while not known. Facts from before it existed carry none. */
  language: Type.Optional(nullable(Type.Enum([...LANGUAGES]))),
  /** Grows with every change of the user; a directory drops what is older than what it has. */
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
    callers: ['documents', 'messaging', 'payments', 'wallet'],
  }),
  /** Who an admin is, for what other services record of their acts. */
  findAdmin: defineRpc({
    subject: 'rpc.auth.find-admin.v1',
    request: Type.Object({ admin_id: Type.String() }),
    response: Type.Object({ admin: nullable(Type.Object({ username: Type.String() })) }),
    timeoutMs: 2_000,
    callers: ['cms', 'payments'],
  }),
} as const;
