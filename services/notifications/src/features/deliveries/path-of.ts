import type { NotificationKind } from '@karaar/contracts/notifications/kinds';

const PATHS: Partial<Record<NotificationKind, string>> = {
  top_up_done: '/wallet',
  top_up_failed: '/wallet',
  new_sign_in: '/profile',
  passkey_added: '/profile',
  passkey_removed: '/profile',
  data_exported: '/profile',
  phone_move_asked: '/profile',
  phone_changed: '/profile',
  unread_chat: '/chat',
};

/** Returns the page to which the link of a message leads. */
export function pathOf(kind: NotificationKind, documentId: string | null): string {
  const id = documentId ?? '';
  if (kind === 'expiring') return `/document/create?renew=${id}`;
  return PATHS[kind] ?? `/document/${id}${kind === 'share_due' ? '/payment' : ''}`;
}
