/** Decides who is notified of a change of a document. Pure. */
import type { documentsEvents } from '@karaar/contracts/documents/events';
import type { EventData } from '@karaar/contracts/kit';
import type { NotificationKind } from '@karaar/contracts/notifications/kinds';

export type Change = EventData<typeof documentsEvents.changed>;
export type Planned = { userId: string; kind: NotificationKind };

export const WITH_REASON: ReadonlySet<NotificationKind> = new Set(['rejected', 'withdrawn', 'cancelled']);

export const WITH_DATE: ReadonlySet<NotificationKind> = new Set(['invited', 'reminded', 'admitted']);

/** Returns the notifications of a change, at most one per user and none for the actor. */
export function notificationsOf(change: Change): Planned[] {
  const { actor_id = null } = change;
  const ended = (change.ended_approvals ?? []).map((userId): Planned => ({ userId, kind: 'approval_ended' }));
  const first = planned(change);
  const more = ended.filter(({ userId }) => !first.some((each) => each.userId === userId));
  return [...first, ...more].filter(({ userId }) => userId !== actor_id);
}

function planned(change: Change): Planned[] {
  const { primary_user, involved_users, subject_id } = change;
  const toPrimary = (kind: NotificationKind): Planned[] => [{ userId: primary_user, kind }];
  const toSubject = (kind: NotificationKind): Planned[] => (subject_id ? [{ userId: subject_id, kind }] : []);
  /** Also to those who asked to join. */
  const toAll = (kind: NotificationKind): Planned[] =>
    (change.affected_users ?? involved_users).map((userId) => ({ userId, kind }));
  switch (change.change) {
    case 'party.invited':
      return toSubject('invited');
    case 'party.reminded':
      return toSubject('reminded');
    case 'party.joined':
      return toSubject('admitted');
    case 'party.requested':
      return toPrimary('join_requested');
    case 'party.contact_handed_on':
      return toPrimary('handed_on');
    case 'party.rejected':
      return toPrimary('rejected');
    case 'party.withdrawn':
      return toPrimary('withdrawn');
    case 'document.cancelled':
      return toAll('cancelled');
    case 'document.lapsed':
      return toAll('lapsed');
    case 'party.renamed':
      return involved_users.map((userId) => ({ userId, kind: 'party_renamed' }));
    case 'document.approved':
    case 'party.accepted':
    case 'party.approved':
      return ofApproval(change);
    case 'document.finalized':
      return involved_users.map((userId) => ({ userId, kind: 'sealed' }));
    case undefined:
    default:
      return [];
  }
}

/**
 * An approval notifies each user of one thing: that all have approved, that it is the user's turn, or who has
 * approved.
 */
function ofApproval({ status, primary_user, involved_users, awaited_users, actor_id }: Change): Planned[] {
  if (status === 'approved') return involved_users.map((userId) => ({ userId, kind: 'all_approved' }));
  const awaited = awaited_users ?? [];
  // After the creator's approval the others are awaited. After another party's approval it may be the
  // creator's turn.
  if (actor_id === primary_user) return awaited.map((userId) => ({ userId, kind: 'your_turn' }));
  const onlyCreator = awaited.length === 1 && awaited[0] === primary_user;
  return [{ userId: primary_user, kind: onlyCreator ? 'your_turn' : 'accepted' }];
}
