import type { DocumentEvent } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { formatDateTime, Sheet, statusText } from '@karaar/ui';
import { Thread, type ThreadEntry } from '@karaar/ui/navigation';
import { documentsTexts } from './texts.ts';

/** Returns the tone of an event by its name: party.rejected, document.approved. */
function toneOf({ type }: DocumentEvent): NonNullable<ThreadEntry['tone']> {
  if (/reject|removed|failed/.test(type)) return 'rejected';
  if (/finalized|logged|sealed/.test(type)) return 'sealed';
  if (/approv|accept|verif|paid|completed/.test(type)) return 'verified';
  return 'neutral';
}

/** The document's append-only record, unchanged: in English for all readers. */
export function Trail({ events }: { events: readonly DocumentEvent[] }) {
  const t = useTexts(documentsTexts);
  const entries = events.map((event): ThreadEntry => {
    const change =
      event.status_from && event.status_from !== event.status_to
        ? `${statusText(event.status_from)} → ${statusText(event.status_to)}`
        : '';
    const from = [event.from_device, event.from_address].filter(Boolean).join(', ');
    return {
      key: event._id,
      title: <span lang="en">{event.detail || event.type}</span>,
      note: (
        <>
          <span translate="no">{event.actor_name}</span>
          <span>
            {[formatDateTime(event.at), change, from]
              .filter(Boolean)
              .map((part) => ` · ${part}`)
              .join('')}
          </span>
        </>
      ),
      tone: toneOf(event),
    };
  });
  return (
    <Sheet title={t('trail')} note={t('trailNote')}>
      <Thread label={t('trail')} entries={entries} />
    </Sheet>
  );
}
