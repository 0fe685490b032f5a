import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Banner, Button } from '@karaar/ui';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import { involvedParties, waitingFor } from '../../../shared/roles.ts';
import { useUser } from '../../../shared/useShell.ts';
import css from '../detail.module.css';
import { useCorrecting } from './useCorrecting.ts';

/** Who rejected or cancelled the document, with the reasons; the creator can correct a copy. */
export default function Rejected({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const { correct, copying } = useCorrecting(document);
  const waiting = waitingFor(document, user_id);
  const reasons = document.cancelled
    ? [document.cancelled.reason]
    : involvedParties(document).map(({ reject_reason }) => reject_reason);
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
        {reasons.filter(Boolean).map((reason, place) => (
          <q key={place} className={css.quote} dir="auto">
            {reason}
          </q>
        ))}
      </Banner>
    )
  );
}
