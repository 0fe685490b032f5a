import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import type { Key } from './texts.ts';

export const KIND_TEXTS: Record<NotificationKind, { title: Key; line: Key }> = {
  invited: { title: 'title_invited', line: 'line_invited' },
  reminded: { title: 'title_reminded', line: 'line_reminded' },
  accepted: { title: 'title_accepted', line: 'line_accepted' },
  rejected: { title: 'title_rejected', line: 'line_rejected' },
  join_requested: { title: 'title_join_requested', line: 'line_join_requested' },
  admitted: { title: 'title_admitted', line: 'line_admitted' },
  your_turn: { title: 'title_your_turn', line: 'line_your_turn' },
  approval_ended: { title: 'title_approval_ended', line: 'line_approval_ended' },
  withdrawn: { title: 'title_withdrawn', line: 'line_withdrawn' },
  cancelled: { title: 'title_cancelled', line: 'line_cancelled' },
  handed_on: { title: 'title_handed_on', line: 'line_handed_on' },
  lapsed: { title: 'title_lapsed', line: 'line_lapsed' },
  party_renamed: { title: 'title_party_renamed', line: 'line_party_renamed' },
  all_approved: { title: 'title_all_approved', line: 'line_all_approved' },
  sealed: { title: 'title_sealed', line: 'line_sealed' },
  expiring: { title: 'title_expiring', line: 'line_expiring' },
  share_due: { title: 'title_share_due', line: 'line_share_due' },
  paid: { title: 'title_paid', line: 'line_paid' },
  payment_reversed: { title: 'title_payment_reversed', line: 'line_payment_reversed' },
  top_up_done: { title: 'title_top_up_done', line: 'line_top_up_done' },
  top_up_failed: { title: 'title_top_up_failed', line: 'line_top_up_failed' },
  new_sign_in: { title: 'title_new_sign_in', line: 'line_new_sign_in' },
  passkey_added: { title: 'title_passkey_added', line: 'line_passkey_added' },
  passkey_removed: { title: 'title_passkey_removed', line: 'line_passkey_removed' },
  data_exported: { title: 'title_data_exported', line: 'line_data_exported' },
  phone_move_asked: { title: 'title_phone_move_asked', line: 'line_phone_move_asked' },
  phone_changed: { title: 'title_phone_changed', line: 'line_phone_changed' },
  unread_chat: { title: 'title_unread_chat', line: 'line_unread_chat' },
};

/** In place of `share_due` for a share that was set before. */
export const SHARE_CHANGED = {
  title: 'title_share_changed',
  line: 'line_share_changed',
} as const satisfies { title: Key; line: Key };
