import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { formatDateTime, Sheet, Skeleton, userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { documentEventsQuery } from '../../shared/queries.ts';
import css from './detail.module.css';
import { detailTexts } from './texts.ts';

/** What happened to the document, newest first, as a thread. */
export function History({ documentId }: { documentId: string }) {
  const t = useTexts(detailTexts);
  const events = useQuery(documentEventsQuery(documentId));
  return (
    <Sheet title={t('history')}>
      {events.isPending && <Skeleton lines={4} />}
      {events.isError && <p className="k-muted">{toastText(events.error, t('historyFailed'))}</p>}
      {events.data && (
        <ol className={css.thread}>
          {events.data.toReversed().map((event) => (
            <li key={event._id}>
              <p>{event.detail || event.type}</p>
              <p className="k-muted k-small k-num">
                {userName(event.actor_name)} · {formatDateTime(event.at)}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
