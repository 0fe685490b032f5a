import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Badge, Person, Sheet, userName } from '@karaar/ui';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import css from '../detail.module.css';
import { involvedParties, type Party } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type InvolvedUsersProps = {
  document: Document;
  userId: string;
  /** The answer-by date of another person; the user's own is at the bottom of the page. */
  dateOf: (day: string, name: string) => ReactNode;
  /** Whether the messages to a party arrived; for the creator, while the answer is awaited. */
  deliveryOf: (party: Party) => ReactNode;
};

/** The parties as people, with their state. */
export function InvolvedUsers({ document, userId, dateOf, deliveryOf }: InvolvedUsersProps) {
  const t = useTexts(detailTexts);
  return (
    <Sheet title={t('involved')}>
      <ul className={css.people}>
        {involvedParties(document).map((party) => {
          const name = userName(party.name);
          const isMe = party.user_id === userId;
          return (
            <Person
              key={party.user_id}
              name={name}
              src={party.photo}
              face={party.photo_face}
              note={
                <>
                  <span>{[partyNote(party, t), ...(isMe ? [t('you')] : [])].join(' · ')}</span>
                  {!isMe && party.answer_by && dateOf(party.answer_by, name)}
                  {!isMe && party.remindable_at && deliveryOf(party)}
                </>
              }
              // Nobody's answer is awaited any more.
              state={(!document.cancelled || party.approved) && <ApprovalBadge party={party} />}
              actions={
                !isMe && (
                  <Link className="k-small" to={`/chat/${party.user_id}`}>
                    {t('chatWith', { name: name })}
                  </Link>
                )
              }
            />
          );
        })}
        {(document.open_invitations ?? []).map((invitation) => (
          <Person
            key={invitation._id}
            name={t('invitee')}
            note={
              <>
                <span>{invitation.hint ?? t('invited')}</span>
                {invitation.answer_by && dateOf(invitation.answer_by, invitation.hint || t('invitee'))}
              </>
            }
            state={<Badge tone="waiting">{t('pending')}</Badge>}
          />
        ))}
      </ul>
    </Sheet>
  );
}

/** Approved or Pending; Rejected for a party that has rejected. */
export function ApprovalBadge({ party: { approved, state } }: { party: Party }) {
  const t = useTexts(detailTexts);
  if (state === 'rejected') return <Badge tone="rejected">{t('rejected')}</Badge>;
  return <Badge tone={approved ? 'verified' : 'waiting'}>{t(approved ? 'approved' : 'pending')}</Badge>;
}

const AGAIN = { parties_changed: 'approvalEnded', verified_again: 'eventPartyVerified' } as const;

/** Returns the role of a party, if the approval alone does not show it. */
export function partyNote(party: Party, t: typeof detailTexts.say): string {
  const { state, char_id, reject_reason, approved_as, approve_again } = party;
  const notes: Record<Party['state'], string> = {
    primary: t('creatorNote'),
    invited: t('invited'),
    requested: t('requested'),
    admitted: approve_again ? t(AGAIN[approve_again]) : t('admitted'),
    rejected: reject_reason ? t('rejectedWhy', { reason: reject_reason }) : t('rejected'),
    approved: char_id,
  };
  const under = approved_as === undefined ? [] : [t('approvedAs', { name: approved_as })];
  return [notes[state], ...under].join(' · ');
}
