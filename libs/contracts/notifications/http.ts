/**
 * The notifications service's HTTP contract: the list behind the bell, and each user's choice of kinds and
 * channels.
 */
import { Type } from 'typebox';
import { defineRoute, IsoDate, IsoDateTime, MessageBody, nullable, Uuid } from '../kit.ts';
import { NOTIFICATIONS_PAGE_MAX, UNREAD_MAX } from '../limits.ts';
import { SmsFailure, smsReportRoutes } from '../sms.ts';
import { NOTIFICATION_CHANNELS, NOTIFICATION_KINDS } from './kinds.ts';

const NotificationKind = Type.Enum([...NOTIFICATION_KINDS]);
const NotificationChannel = Type.Enum([...NOTIFICATION_CHANNELS]);

const UnreadNotifications = Type.Object({
  unread_count: Type.Integer({ minimum: 0, maximum: UNREAD_MAX }),
});

export const Notification = Type.Object({
  _id: Uuid,
  kind: NotificationKind,
  document_id: nullable(Uuid),
  document_name: nullable(Type.String()),
  /** The actor; null for events without an actor, and for a deleted account. */
  actor_name: nullable(Type.String()),
  /** The reason of a rejection or withdrawal, in the party's own words. */
  reason: nullable(Type.String()),
  amount_paise: nullable(Type.Integer()),
  /** For a changed share: the amount before. */
  replaced_paise: Type.Optional(Type.Integer()),
  /** For an invitation and a reminder: the day by which the user was asked to answer. */
  answer_by: Type.Optional(nullable(IsoDate)),
  read: Type.Boolean(),
  created_at: IsoDateTime,
});

export const NotificationPage = Type.Object({
  notifications: Type.Array(Notification),
  unread_count: Type.Integer({ minimum: 0, maximum: UNREAD_MAX }),
  /** For the next page; null after the last one. */
  next_cursor: nullable(Uuid),
});

const Preference = Type.Object({
  kind: NotificationKind,
  channel: NotificationChannel,
  wanted: Type.Boolean(),
});

/** An hour of the day in India. */
const Hour = Type.Integer({ minimum: 0, maximum: 23 });

export const NotificationSettings = Type.Object({
  /** Every kind on every channel that it and this installation have. */
  preferences: Type.Array(Preference),
  /** No e-mail, SMS or WhatsApp message between these hours, India's time; null for no quiet hours. */
  quiet_hours: nullable(Type.Object({ from: Hour, until: Hour })),
  /** True if e-mails to other parties may name the user's own documents in their subjects. */
  names_in_subjects: Type.Boolean(),
  /** True if the e-mail about a sealed document has its PDF and receipt, up to 7 MB together. */
  attach_sealed: Type.Boolean(),
});

/** The delivery state of a message to another party about a document. */
export const Delivery = Type.Object({
  kind: NotificationKind,
  channel: NotificationChannel,
  user_id: Uuid,
  /** A message to a phone may be `unconfirmed` (the provider may not have it) or `delivered`. */
  state: Type.Enum(['queued', 'sent', 'unconfirmed', 'delivered', 'skipped', 'failed']),
  /** For a failed e-mail: true if the recipient's server refused it for good. */
  bounced: Type.Optional(Type.Boolean()),
  /** For a failed SMS or WhatsApp message: the reason of the carrier, or of Meta. */
  cause: Type.Optional(SmsFailure),
  /** When the state was reached; for a queued message when it was written. */
  at: IsoDateTime,
});

export const notificationsRoutes = {
  listNotifications: defineRoute({
    method: 'GET',
    path: '/notifications',
    access: 'user',
    summary: "The caller's notifications, newest first",
    query: Type.Object({
      cursor: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: NOTIFICATIONS_PAGE_MAX })),
    }),
    response: { 200: NotificationPage },
  }),
  unreadNotifications: defineRoute({
    method: 'GET',
    path: '/notifications/unread-count',
    access: 'user',
    summary: 'How many notifications the caller has not read',
    response: { 200: UnreadNotifications },
  }),
  readNotifications: defineRoute({
    method: 'POST',
    path: '/notifications/read',
    access: 'user',
    summary: 'Mark all notifications up to one as read',
    body: Type.Object({ up_to: Uuid }),
    response: { 200: UnreadNotifications },
  }),
  readNotification: defineRoute({
    method: 'POST',
    path: '/notifications/:id/read',
    access: 'user',
    summary: 'Mark one notification of the caller as read',
    params: Type.Object({ id: Uuid }),
    response: { 200: UnreadNotifications },
  }),
  getNotificationSettings: defineRoute({
    method: 'GET',
    path: '/notifications/settings',
    access: 'user',
    summary: 'What the caller is told by which way, and when',
    response: { 200: NotificationSettings },
  }),
  changeNotificationSettings: defineRoute({
    method: 'PATCH',
    path: '/notifications/settings',
    access: 'user',
    summary: 'Change what the caller is told by which way, and when; what is not named stays',
    body: Type.Partial(NotificationSettings),
    response: { 200: NotificationSettings },
  }),
  deliveries: defineRoute({
    method: 'GET',
    path: '/notifications/deliveries/:documentId',
    access: 'user',
    summary: 'How the messages that the caller has caused about a document are on their way, newest first',
    params: Type.Object({ documentId: Uuid }),
    response: { 200: Type.Array(Delivery) },
  }),
  ...smsReportRoutes('/notifications/sms'),
  verifyWhatsapp: defineRoute({
    method: 'GET',
    path: '/notifications/whatsapp-webhook',
    access: 'public',
    summary: "Meta's check of the webhook's address: returns the challenge for the operator's token",
    query: Type.Object({
      'hub.mode': Type.String({ maxLength: 20 }),
      'hub.verify_token': Type.String({ maxLength: 200 }),
      'hub.challenge': Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }),
    }),
    response: { 200: Type.String() },
  }),
  whatsappStatus: defineRoute({
    method: 'POST',
    path: '/notifications/whatsapp-webhook',
    access: 'public',
    summary: "Meta's signed reports about WhatsApp messages; the signature over the bytes is the credential",
    response: { 200: Type.Object({ received: Type.Boolean() }) },
  }),
  unsubscribe: defineRoute({
    method: 'POST',
    path: '/notifications/unsubscribe',
    access: 'public',
    summary: 'End e-mails of one kind by the token that stands in each of them (RFC 8058)',
    query: Type.Object({ token: Type.String({ minLength: 1, maxLength: 300 }) }),
    body: Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }),
    response: { 200: MessageBody },
  }),
} as const;
