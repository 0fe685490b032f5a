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

/** The channels that a user can switch for each kind: the list in the app, and e-mail. */
export const NOTIFICATION_CHANNELS = ['app', 'email'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
