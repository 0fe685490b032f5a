/** Reports of users about users: admins see reporter, reported user and reason, never the messages. */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable, SUPPORTERS, Uuid } from '../kit.ts';

export const REPORT_REASONS = ['spam', 'abuse', 'fraud', 'impersonation', 'other'] as const;
export const REPORT_DETAILS_MAX = 500;

export type ReportReason = (typeof REPORT_REASONS)[number];
/**
 * Reasons of automatic reports: `invitations` for a user at the daily limit of invitations, with their number
 * in `details`.
 */
export const OWN_REPORT_REASONS = ['invitations'] as const;

const Reported = Type.Object({ user_id: Type.String(), char_id: Type.String(), name: Type.String() });

export const Report = Type.Object({
  _id: Type.String(),
  /** Null for an automatic report. */
  reporter: nullable(Reported),
  reported: Reported,
  reason: Type.Enum([...REPORT_REASONS, ...OWN_REPORT_REASONS]),
  details: Type.String(),
  created_at: IsoDateTime,
  resolved_at: nullable(IsoDateTime),
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
