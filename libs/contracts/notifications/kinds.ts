/**
 * The kinds of notifications and their channels, without schemas, because the user interface imports the
 * list.
 */

export const NOTIFICATION_KINDS = [
  'invited',
  'reminded',
  'accepted',
  'rejected',
  'join_requested',
  'admitted',
  'your_turn',
  'approval_ended',
  'withdrawn',
  'cancelled',
  'handed_on',
  'lapsed',
  'party_renamed',
  'all_approved',
  'sealed',
  'expiring',
  'share_due',
  'paid',
  'payment_reversed',
  'top_up_done',
  'top_up_failed',
  'new_sign_in',
  'passkey_added',
  'passkey_removed',
  'data_exported',
  'phone_move_asked',
  'phone_changed',
  'unread_chat',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * Sent on every channel at once, and cannot be switched off: an attacker who takes an account over must not
 * silence them first.
 */
export const ALWAYS_SENT: readonly NotificationKind[] = [
  'passkey_added',
  'passkey_removed',
  'data_exported',
  'phone_move_asked',
  'phone_changed',
];

/** The channels that a user can switch for each kind. WhatsApp exists only if the operator has an account. */
export const NOTIFICATION_CHANNELS = ['app', 'email', 'sms', 'whatsapp'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/**
 * The kinds that may come by SMS, and whether they do until the user chooses. An SMS costs money, so it is on
 * only where the user has to act or the agreement ends. Other SMS report the missing kinds: invitations,
 * admissions, reminders and withdrawals (sent by documents), passkeys and a changed number (sent by auth; the
 * new number would be the wrong one to warn).
 */
export const SMS_KINDS: Partial<Record<NotificationKind, boolean>> = {
  your_turn: true,
  approval_ended: true,
  rejected: true,
  sealed: true,
  share_due: true,
  data_exported: true,
  // A stranger who has a document's code can cause any number of them.
  join_requested: false,
  cancelled: false,
  lapsed: false,
  all_approved: false,
  expiring: false,
  top_up_failed: false,
  // The code for the sign-in came by SMS.
  new_sign_in: false,
};

/**
 * Returns whether a kind may come by a channel. By WhatsApp come the kinds of SMS, except those that are always
 * sent, because Meta requires the user's consent.
 */
export const hasChannel = (kind: NotificationKind, channel: NotificationChannel): boolean => {
  if (channel === 'whatsapp') return kind in SMS_KINDS && !ALWAYS_SENT.includes(kind);
  return channel !== 'sms' || kind in SMS_KINDS;
};

/** The user's choices for a kind, by channel. */
export type Chosen = Partial<Record<NotificationChannel, boolean>>;

/** Returns whether a kind comes by a channel. Chosen for WhatsApp, it comes by SMS only if that is chosen too. */
export const isWanted = (kind: NotificationKind, channel: NotificationChannel, chosen: Chosen): boolean => {
  if (ALWAYS_SENT.includes(kind)) return true;
  const own = chosen[channel];
  if (own !== undefined || channel === 'whatsapp') return own === true;
  return channel !== 'sms' || (SMS_KINDS[kind] === true && !chosen.whatsapp);
};
