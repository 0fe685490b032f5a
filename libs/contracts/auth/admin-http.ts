/** The admins' part of the auth service's HTTP contract: sign-in, second factor, users (spec §6, §7 Admin). */
import { Type, type Static } from 'typebox';
import { dayRange, NextCursor, pageOf, SeriesQuery } from '../admin.ts';
import {
  ADMIN_ROLES,
  defineRoute,
  IdParams,
  IsoDate,
  IsoDateTime,
  MessageBody,
  nullable,
  SUPER_ADMINS,
  SUPPORTERS,
} from '../kit.ts';
import { passkeyRoutes } from './passkeys-http.ts';
import { accountFields } from './user-fields.ts';

export const AdminUser = Type.Object({ ...accountFields, created_at: IsoDateTime });
export type AdminUser = Static<typeof AdminUser>;

/** An entry of the append-only audit log. */
export const AuditEntry = Type.Object({
  _id: Type.String(),
  at: IsoDateTime,
  admin_id: Type.String(),
  admin_name: Type.String(),
  action: Type.String(),
  target_id: nullable(Type.String()),
  target: Type.String(),
  reason: Type.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;

const userFilters = {
  search: Type.Optional(Type.String({ maxLength: 254 })),
  status: Type.Optional(Type.Enum(['active', 'inactive', ''])),
  ...dayRange,
  sort: Type.Optional(Type.Enum(['newest', 'oldest', 'name', '-name'])),
};
const UsersQuery = Type.Object({ ...userFilters, ...pageOf });

const auditFilters = {
  /** Matches an action or its area (`user`) exactly. */
  action: Type.Optional(Type.String({ maxLength: 60 })),
  /** Matches an admin's name or a target's id exactly. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  ...dayRange,
};

const Role = Type.Enum([...ADMIN_ROLES]);
const Reason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) });

export const adminRoutes = {
  ...passkeyRoutes,
  adminLogin: defineRoute({
    method: 'POST',
    path: '/admin/login',
    access: 'public',
    urgency: 'vital',
    summary:
      'Sign an admin in on the admin audience; 401 `totp_required` asks for the code of the authenticator app, 401 `passkey_required` for POST /admin/login/passkey',
    body: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 80 }),
      password: Type.String({ minLength: 1, maxLength: 200 }),
      totp: Type.Optional(
        Type.String({ minLength: 6, maxLength: 24, description: 'Six digits, or a recovery code' }),
      ),
    }),
    response: {
      200: Type.Object({ token: Type.String(), username: Type.String(), role: Role }),
    },
  }),
  adminMe: defineRoute({
    method: 'GET',
    path: '/admin/me',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'The signed-in admin: name, role, second factor',
    response: {
      200: Type.Object({
        admin_id: Type.String(),
        username: Type.String(),
        role: Role,
        totp_enabled: Type.Boolean(),
        passkey_required: Type.Boolean(),
        recovery_codes_left: Type.Integer(),
      }),
    },
  }),
  adminLogout: defineRoute({
    method: 'POST',
    path: '/admin/logout',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'End this admin session; its token is refused everywhere within a second',
    response: { 200: MessageBody },
  }),
  enrollTotp: defineRoute({
    method: 'POST',
    path: '/admin/totp/enroll',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary:
      'Begin with a second factor: the secret for the authenticator app. Replaces an earlier one only when confirmed',
    body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: { 200: Type.Object({ secret: Type.String(), otpauth_url: Type.String() }) },
  }),
  confirmTotp: defineRoute({
    method: 'POST',
    path: '/admin/totp/confirm',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Turn the second factor on by a first code; answers recovery codes, shown this once',
    body: Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$' }) }),
    response: { 200: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
  }),
  adminUsers: defineRoute({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    roles: SUPPORTERS,
    summary:
      'All users, newest first; the next page begins after `cursor`: the last user of this one, or the header X-Next-Cursor',
    query: UsersQuery,
    response: { 200: Type.Array(AdminUser) },
  }),
  adminUsersPage: defineRoute({
    method: 'GET',
    path: '/admin/users/page',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'The same list by pages, with the cursor of the next one in the answer',
    query: UsersQuery,
    response: { 200: Type.Object({ items: Type.Array(AdminUser), next_cursor: NextCursor }) },
  }),
  adminUsersExport: defineRoute({
    method: 'GET',
    path: '/admin/users/export',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'The same list as CSV, whole; recorded in the audit log',
    query: Type.Object(userFilters),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
  }),
  adminUserCounts: defineRoute({
    method: 'GET',
    path: '/admin/users/counts',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'How many users there are, and how many registered on each day',
    query: SeriesQuery,
    response: {
      200: Type.Object({
        total: Type.Integer(),
        active: Type.Integer(),
        inactive: Type.Integer(),
        by_day: Type.Array(Type.Object({ day: IsoDate, count: Type.Integer() })),
      }),
    },
  }),
  adminAudit: defineRoute({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'What admins have done, in every service, newest first',
    query: Type.Object({ ...auditFilters, ...pageOf }),
    response: { 200: Type.Object({ items: Type.Array(AuditEntry), next_cursor: NextCursor }) },
  }),
  adminAuditExport: defineRoute({
    method: 'GET',
    path: '/admin/audit/export',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'The audit log as CSV, whole; itself recorded in it',
    query: Type.Object(auditFilters),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
  }),
  deactivateUser: defineRoute({
    method: 'POST',
    path: '/admin/users/:id/deactivate',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'Close an account for sign-in and end its sessions everywhere within a second',
    params: IdParams,
    body: Reason,
    response: { 200: AdminUser },
  }),
  reactivateUser: defineRoute({
    method: 'POST',
    path: '/admin/users/:id/reactivate',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'Open a deactivated account again',
    params: IdParams,
    body: Reason,
    response: { 200: AdminUser },
  }),
} as const;
