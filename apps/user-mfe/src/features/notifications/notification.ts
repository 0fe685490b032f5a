/** The text and the link of a notification. */
import type { Notification } from '@karaar/contracts/notifications/http';
import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import type { KeyOf } from '@karaar/i18n';
import type { IconName } from '@karaar/ui';
import type { Static } from 'typebox';
import type en from './texts/en.json';

export type NotificationEntry = Static<typeof Notification>;

const ICONS: Record<NotificationKind, IconName> = {
  invited: 'documentPlus',
  reminded: 'clock',
  accepted: 'check',
  rejected: 'block',
  join_requested: 'join',
  admitted: 'people',
  your_turn: 'pen',
  approval_ended: 'pen',
  withdrawn: 'logout',
  cancelled: 'block',
  handed_on: 'people',
  lapsed: 'block',
  party_renamed: 'people',
  all_approved: 'ticks',
  sealed: 'shield',
  expiring: 'calendar',
  share_due: 'coins',
  paid: 'coins',
  payment_reversed: 'coins',
  top_up_done: 'wallet',
  top_up_failed: 'alert',
  new_sign_in: 'phone',
  passkey_added: 'shield',
  passkey_removed: 'shield',
  data_exported: 'download',
  phone_move_asked: 'phone',
  phone_changed: 'phone',
  unread_chat: 'chat',
};

/** The text of each kind. */
const LINES = {
  invited: 'line_invited',
  reminded: 'line_reminded',
  accepted: 'line_accepted',
  rejected: 'line_rejected',
  join_requested: 'line_join_requested',
  admitted: 'line_admitted',
  your_turn: 'line_your_turn',
  approval_ended: 'line_approval_ended',
  withdrawn: 'line_withdrawn',
  cancelled: 'line_cancelled',
  handed_on: 'line_handed_on',
  lapsed: 'line_lapsed',
  party_renamed: 'line_party_renamed',
  all_approved: 'line_all_approved',
  sealed: 'line_sealed',
  expiring: 'line_expiring',
  share_due: 'line_share_due',
  paid: 'line_paid',
  payment_reversed: 'line_payment_reversed',
  top_up_done: 'line_top_up_done',
  top_up_failed: 'line_top_up_failed',
  new_sign_in: 'line_new_sign_in',
  passkey_added: 'line_passkey_added',
  passkey_removed: 'line_passkey_removed',
  data_exported: 'line_data_exported',
  phone_move_asked: 'line_phone_move_asked',
  phone_changed: 'line_phone_changed',
  unread_chat: 'line_unread_chat',
} as const satisfies Record<NotificationKind, KeyOf<typeof en>>;

/** The names of the kinds in the settings. */
export const KIND_NAMES = {
  invited: 'kind_invited',
  reminded: 'kind_reminded',
  accepted: 'kind_accepted',
  rejected: 'kind_rejected',
  join_requested: 'kind_join_requested',
  admitted: 'kind_admitted',
  your_turn: 'kind_your_turn',
  approval_ended: 'kind_approval_ended',
  withdrawn: 'kind_withdrawn',
  cancelled: 'kind_cancelled',
  handed_on: 'kind_handed_on',
  lapsed: 'kind_lapsed',
  party_renamed: 'kind_party_renamed',
  all_approved: 'kind_all_approved',
  sealed: 'kind_sealed',
  expiring: 'kind_expiring',
  share_due: 'kind_share_due',
  paid: 'kind_paid',
  payment_reversed: 'kind_payment_reversed',
  top_up_done: 'kind_top_up_done',
  top_up_failed: 'kind_top_up_failed',
  new_sign_in: 'kind_new_sign_in',
  passkey_added: 'kind_passkey_added',
  passkey_removed: 'kind_passkey_removed',
  data_exported: 'kind_data_exported',
  phone_move_asked: 'kind_phone_move_asked',
  phone_changed: 'kind_phone_changed',
  unread_chat: 'kind_unread_chat',
} as const satisfies Record<NotificationKind, KeyOf<typeof en>>;

/** Returns the text of a notification; a share that was set before has changed. */
export const lineOf = ({ kind, replaced_paise }: Pick<NotificationEntry, 'kind' | 'replaced_paise'>) =>
  replaced_paise === undefined ? LINES[kind] : 'line_share_changed';

const OF_THE_ACCOUNT: ReadonlySet<NotificationKind> = new Set([
  'new_sign_in',
  'passkey_added',
  'passkey_removed',
  'data_exported',
  'phone_move_asked',
  'phone_changed',
]);

export const iconOf = ({ kind }: Pick<NotificationEntry, 'kind'>): IconName => ICONS[kind];

/** Returns the screen on which the user can act on it. */
export function pathOf({ kind, document_id }: Pick<NotificationEntry, 'kind' | 'document_id'>): string {
  if (kind === 'expiring' && document_id !== null) return `/document/create?renew=${document_id}`;
  if (document_id !== null) return `/document/${document_id}${kind === 'share_due' ? '/payment' : ''}`;
  if (kind === 'unread_chat') return '/chat';
  return OF_THE_ACCOUNT.has(kind) ? '/profile' : '/wallet';
}
