/** Reports of users about users: admins see who reports whom for what, never the messages. */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable, SUPPORTERS, Uuid } from '../kit.ts';

export const REPORT_REASONS = ['spam', 'abuse', 'fraud', 'impersonation', 'other'] as const;
/** The most characters of a reporter's own words. */
export const REPORT_DETAILS_MAX = 500;

export type ReportReason = (typeof REPORT_REASONS)[number];
/** What Karaar itself reports: `invitations`, how many in `details`, for as many invitations as one may send within a day. */
export const OWN_REPORT_REASONS = ['invitations'] as const;

const Reported = Type.Object({ user_id: Type.String(), char_id: Type.String(), name: Type.String() });

export const Report = Type.Object({
  _id: Type.String(),
  /** Null where Karaar itself reports. */
  reporter: nullable(Reported),
  reported: Reported,
  reason: Type.Enum([...REPORT_REASONS, ...OWN_REPORT_REASONS]),
  details: Type.String(),
  created_at: IsoDateTime,
  resolved_at: nullable(IsoDateTime),
  /** The note of the admin who closed the report. */
  note: Type.String(),
});
export type Report = Static<typeof Report>;

export const reportRoutes = {
  report: defineRoute({
    method: 'POST',
    path: '/messaging/reports',
    access: 'user',
    summary: 'Report a user to the admins; while a report is open, a further one replaces its words',
    body: Type.Object({
      user_id: Uuid,
      reason: Type.Enum([...REPORT_REASONS]),
      details: Type.Optional(Type.String({ maxLength: REPORT_DETAILS_MAX })),
    }),
    response: { 201: MessageBody },
  }),
  adminReports: defineRoute({
    method: 'GET',
    path: '/admin/reports',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'Reports, newest first; the next page begins after `cursor`, the last report of this one',
    query: Type.Object({
      status: Type.Optional(Type.Enum(['open', 'resolved'])),
      cursor: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(Report) },
  }),
  resolveReport: defineRoute({
    method: 'POST',
    path: '/admin/reports/:id/resolve',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'Close a report',
    params: IdParams,
    body: Type.Object({ note: Type.Optional(Type.String({ maxLength: 500 })) }),
    response: { 200: Report },
  }),
} as const;
