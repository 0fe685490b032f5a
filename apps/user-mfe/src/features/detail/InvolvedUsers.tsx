import type { Document } from '@karaar/contracts/documents/http';
import { Badge, Person, Sheet, userName } from '@karaar/ui';
import { Link } from 'react-router';
import css from './detail.module.css';
import { involvedParties, type Party } from './roles.ts';
import { detailTexts as texts } from './texts.ts';

/** The parties as people, each with how far they are. */
export function InvolvedUsers({ document, userId }: { document: Document; userId: string }) {
  return (
    <Sheet title={texts.involved}>
      <ul className={css.people}>
        {involvedParties(document).map((party) => {
          const name = userName(party.name);
          const isMe = party.user_id === userId;
          return (
            <Person
              key={party.user_id}
              name={name}
              note={isMe ? `${partyNote(party)} · ${texts.you}` : partyNote(party)}
              state={<ApprovalBadge approved={party.approved} />}
              actions={
                !isMe && (
                  <Link className="k-small" to={`/chat/${party.user_id}`}>
                    {texts.chatWith(name)}
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

/** Approved or Pending. */
export const ApprovalBadge = ({ approved }: { approved: boolean }) => (
  <Badge tone={approved ? 'verified' : 'waiting'}>{approved ? texts.approved : texts.pending}</Badge>
);

/** What a party is on this document, where the approval alone does not say it. */
export function partyNote({ state, char_id }: Party): string {
  const notes: Record<Party['state'], string> = {
    primary: texts.creatorNote,
    invited: texts.invited,
    requested: texts.requested,
    rejected: texts.rejected,
    approved: char_id,
  };
  return notes[state];
}
