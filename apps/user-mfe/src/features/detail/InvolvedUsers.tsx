import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Badge, Person, Sheet, userName } from '@karaar/ui';
import { Link } from 'react-router';
import css from './detail.module.css';
import { involvedParties, type Party } from './roles.ts';
import { detailTexts } from './texts.ts';

/** The parties as people, each with how far they are. */
export function InvolvedUsers({ document, userId }: { document: Document; userId: string }) {
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
              note={[partyNote(party, t), ...(isMe ? [t('you')] : photoNotes(party, t))].join(' · ')}
              state={<ApprovalBadge party={party} />}
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
      </ul>
    </Sheet>
  );
}

/** Approved or Pending; Rejected for a party that has said no. */
export function ApprovalBadge({ party: { approved, state } }: { party: Party }) {
  const t = useTexts(detailTexts);
  if (state === 'rejected') return <Badge tone="rejected">{t('rejected')}</Badge>;
  return <Badge tone={approved ? 'verified' : 'waiting'}>{t(approved ? 'approved' : 'pending')}</Badge>;
}

/** What a party is on this document, where the approval alone does not say it. */
export function partyNote({ state, char_id }: Party, t: typeof detailTexts.say): string {
  const notes: Record<Party['state'], string> = {
    primary: t('creatorNote'),
    invited: t('invited'),
    requested: t('requested'),
    rejected: t('rejected'),
    approved: char_id,
  };
  return notes[state];
}

const HINTS = { same_photo: 'samePhoto', similar_photo: 'similarPhoto', eyes_differ: 'eyesDiffer' } as const;

/** What was noticed about a party's photos, in words; the server tells the creator alone. */
export function photoNotes({ photo_hints = [] }: Party, t: typeof detailTexts.say): string[] {
  return photo_hints.map((hint) => t(HINTS[hint]));
}
