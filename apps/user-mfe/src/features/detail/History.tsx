import { toastText } from '@karaar/api-client';
import type { DocumentEvent } from '@karaar/contracts/documents/http';
import { useLanguage, useTexts } from '@karaar/i18n';
import { formatDateTime, Sheet, Skeleton, userName } from '@karaar/ui';
import { Thread } from '@karaar/ui/navigation';
import { useQuery } from '@tanstack/react-query';
import { documentEventsQuery } from '../../shared/queries.ts';
import { eventMessage } from './event-words.ts';
import { toneOf } from './history-tone.ts';
import { detailTexts } from './texts.ts';

/** What happened to the document, newest first, as a thread. */
export function History({ documentId }: { documentId: string }) {
  const t = useTexts(detailTexts);
  const language = useLanguage();
  const wordsOf = (event: DocumentEvent) => {
    const message = language === 'en' ? null : eventMessage(event);
    return message ? t(message) : event.detail || event.type;
  };
  const events = useQuery(documentEventsQuery(documentId));
  return (
    <Sheet title={t('history')}>
      {events.isPending && <Skeleton lines={4} />}
      {events.isError && <p className="k-muted">{toastText(events.error, t('historyFailed'))}</p>}
      {events.data && (
        <Thread
          label={t('history')}
          entries={events.data.toReversed().map((event) => ({
            key: event._id,
            title: wordsOf(event),
            note: `${userName(event.actor_name)} · ${formatDateTime(event.at)}`,
            tone: toneOf(event.type),
          }))}
        />
      )}
    </Sheet>
  );
}
