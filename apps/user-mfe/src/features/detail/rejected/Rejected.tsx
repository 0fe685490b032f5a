import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Banner, Button } from '@karaar/ui';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import { involvedParties, waitingFor } from '../../../shared/roles.ts';
import { useUser } from '../../../shared/useShell.ts';
import css from '../detail.module.css';
import { useCorrecting } from './useCorrecting.ts';

/** The people who rejected the document, with their reasons; the creator can correct a copy. */
export default function Rejected({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const { correct, copying } = useCorrecting(document);
  const waiting = waitingFor(document, user_id);
  const reasons = involvedParties(document).filter(({ reject_reason }) => reject_reason);
  return (
    waiting && (
      <Banner
        tone={waiting.tone}
        action={
          document.primary_user === user_id && (
            <Button compact icon="pen" onClick={correct} loading={copying}>
              {t('correctAgain')}
            </Button>
          )
        }
      >
        <span>{t(waiting.message)}</span>
        {reasons.map(({ user_id: id, reject_reason }) => (
          <q key={id} className={css.quote} dir="auto">
            {reject_reason}
          </q>
        ))}
      </Banner>
    )
  );
}
