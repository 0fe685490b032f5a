import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Badge, Person, Sheet, userName } from '@karaar/ui';
import { Link } from 'react-router';
import AnswerByNote from '../../answer-by/AnswerByNote.tsx';
import css from '../detail.module.css';
import { involvedParties, type Party } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import DeliveryNote from './DeliveryNote.tsx';
import { Hint } from './Hint.tsx';

type InvolvedUsersProps = {
  document: Document;
  userId: string;
};

/** The parties as people, with their state. */
export default function InvolvedUsers({ document, userId }: InvolvedUsersProps) {
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
                  {/* The user's own date is at the bottom of the page. */}
                  {!isMe && party.answer_by && <AnswerByNote day={party.answer_by} of={name} />}
                  {!isMe && party.remindable_at && (
                    <DeliveryNote documentId={document.document_id} party={party} />
                  )}
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
                <Hint text={invitation.hint ?? t('invited')} />
                {invitation.answer_by && (
                  <AnswerByNote day={invitation.answer_by} of={invitation.hint || t('invitee')} />
                )}
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
