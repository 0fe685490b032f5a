import { serverClock } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { userName } from '@karaar/ui';
import { useUser } from '../../../shared/useShell.ts';
import { PriceNote } from '../../reading/PriceNote.tsx';
import type { Next } from './next.ts';
import { lastReminder } from './last-reminder.ts';
import { waitingFor } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The line about the next step: reason, purpose and price. */
export function NextNote({ document, next }: { document: Document; next: Next }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const waiting = waitingFor(document, user_id);
  /** The images of the creation, which an approval uses. */
  const isFresh =
    next.kind === 'approve' &&
    !document.parties.some((each) => each.user_id === user_id && each.approve_again);
  switch (next.kind) {
    case 'admit':
      return <span>{t('noteAdmit', { name: userName(next.party.name) })}</span>;
    case 'seal':
      return <span>{t('noteSeal')}</span>;
    case 'keep':
      return <span>{t('noteKeep')}</span>;
    case 'over':
      return <span>{t('cancelledNote')}</span>;
    case 'settle':
    case 'sealing':
      return null;
    case 'sign':
    case 'pay':
      return <PriceNote document={document} />;
    case 'wait':
      return document.status === 'rejected' ? null : <WaitNote document={document} />;
    case 'approve':
    case 'addParty':
      if (document.primary_user !== user_id) return <PriceNote document={document} />;
      return (
        <span>
          {[waiting && t(waiting.message), isFresh && t('noteApproveOnce')].filter(Boolean).join(' ')}
        </span>
      );
  }
}

function WaitNote({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const when = lastReminder(document, serverClock.date());
  return (
    <>
      {when && <span>{`${t('lastReminder', { when })} `}</span>}
      <PriceNote document={document} />
    </>
  );
}
