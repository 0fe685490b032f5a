/** The common parts of the admins' lists in all services, and the events about actions of admins. */
import { Type, type Static } from 'typebox';
import { defineEvent, IsoDate, IsoDateTime, nullable } from './kit.ts';

/** A page of a keyset list: `cursor` is the `next_cursor` of the previous page. */
export const pageOf = {
  cursor: Type.Optional(Type.String({ maxLength: 700 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
};

/** Days of India's calendar, both ends included; an empty one counts as absent. */
export const dayRange = {
  from: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
  to: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
};

export const NextCursor = nullable(Type.String());

/** Limits how many days back a daily series may go. */
export const SeriesQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
});

/** The admin's reason for an action; kept in the audit log. */
export const ActReason = Type.String({ minLength: 10, maxLength: 500 });

/** An action of an admin. The auth service stores all of them as the audit log; aggregateId is `audit_id`. */
export const AdminAct = Type.Object({
  audit_id: Type.String(),
  admin_id: Type.String(),
  /** For example `pricing.changed`, `biometrics.opened`. */
  action: Type.String({ pattern: '^[a-z-]+\\.[a-z-]+$' }),
  target_id: nullable(Type.String()),
  /**
   * The object's readable name: a document's code, an amount. Never a biometric image, one-time code, token
   * or ID number.
   */
  target: Type.String({ maxLength: 500 }),
  /** Typed with at most 500 characters, of which NFC makes up to three times as many. */
  reason: Type.String({ maxLength: 1_500 }),
  at: IsoDateTime,
});
export type AdminAct = Static<typeof AdminAct>;

/** By the service that performed the action. The auth service writes its own actions to the log directly. */
export const adminActs = {
  documents: defineEvent({ type: 'documents.admin.acted', version: 1, data: AdminAct }),
  payments: defineEvent({ type: 'payments.admin.acted', version: 1, data: AdminAct }),
  wallet: defineEvent({ type: 'wallet.admin.acted', version: 1, data: AdminAct }),
  cms: defineEvent({ type: 'cms.admin.acted', version: 1, data: AdminAct }),
  messaging: defineEvent({ type: 'messaging.admin.acted', version: 1, data: AdminAct }),
} as const;
