import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document, type DocumentEvent } from '@karaar/contracts/documents/http';
import { useLanguage, useTexts } from '@karaar/i18n';
import { Button, formatDateTime, saveFile, Sheet, Skeleton, toast, userName } from '@karaar/ui';
import { Thread, type ThreadEntry } from '@karaar/ui/navigation';
import { useMutation, useQuery } from '@tanstack/react-query';
import { documentEventsQuery } from '../../../shared/queries.ts';
import css from '../detail.module.css';
import { eventEvidence, eventMessage } from './event-words.ts';
import { toneOf } from './history-tone.ts';
import { involvedParties } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The events of the document as a thread, followed by the approvals that are still missing. */
export default function History({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const language = useLanguage();
  const wordsOf = (event: DocumentEvent) => {
    const message = language === 'en' ? null : eventMessage(event);
    if (!message) return event.detail || event.type;
    const { keys, texts, day } = eventEvidence(event);
    const asked = day === null ? [] : [t('eventByDay', { day })];
    return [t(message), ...texts, ...asked, ...keys.map((key) => t(key))].join(' · ');
  };
  const events = useQuery(documentEventsQuery(document.document_id));
  const entry = (event: DocumentEvent): ThreadEntry => {
    const origin = event.from_device ? ` · ${event.from_device}` : '';
    return {
      key: event._id,
      title: event.reason ? (
        <>
          <span>{wordsOf(event)}</span>
          <q className={css.quote} dir="auto">
            {event.reason}
          </q>
        </>
      ) : (
        wordsOf(event)
      ),
      note: `${userName(event.actor_name)} · ${formatDateTime(event.at)}${origin}`,
      tone: toneOf(event.type) ?? 'neutral',
    };
  };
  const open = document.status === 'pending' || document.status === 'pending_approval';
  const awaited = open ? involvedParties(document).filter((party) => !party.approved) : [];
  return (
    <Sheet title={t('history')} actions={<SaveHistory document={document} />}>
      {events.isPending && <Skeleton lines={4} />}
      {events.isError && <p className="k-muted">{toastText(events.error, t('historyFailed'))}</p>}
      {events.data && (
        <Thread
          label={t('history')}
          entries={[
            ...events.data.map(entry),
            ...awaited.map((party) => ({
              key: party.user_id,
              title: t('awaiting', { name: userName(party.name) }),
              tone: 'waiting' as const,
            })),
          ]}
        />
      )}
    </Sheet>
  );
}

/** Saves the history as PDF, in the language of the screen. */
function SaveHistory({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const language = useLanguage();
  const { document_id: id, document_code: code } = document;
  const saving = useMutation({
    mutationFn: () => call(documentsRoutes.historyPdf, { params: { id }, query: { language } }),
    onSuccess: (pdf) => saveFile(pdf, `${code}-history.pdf`),
    onError: (error) => toast.error(toastText(error, t('historyPdfFailed'))),
  });
  return (
    <Button compact icon="download" onClick={() => saving.mutate()} loading={saving.isPending}>
      {t('historyPdf')}
    </Button>
  );
}
