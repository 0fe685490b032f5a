import { serverClock } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, saveFile } from '@karaar/ui';
import css from '../detail.module.css';
import { calendarFile, type CalendarDay } from './calendar.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Calendars remind this many days before an agreement ends. */
const REMIND_DAYS = 30;

/** Downloads the agreement's dates as a calendar file; renders nothing without dates. */
export function CalendarButton({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { document_id: id, name, start_date, end_date } = document;
  if (!start_date && !end_date) return null;
  const save = () => {
    const url = new URL(`/document/${id}`, location.origin).href;
    const days: CalendarDay[] = [
      ...(start_date
        ? [{ uid: `${id}-start@karaar`, day: start_date, title: t('calendarStart', { name }), url }]
        : []),
      ...(end_date
        ? [
            {
              uid: `${id}-end@karaar`,
              day: end_date,
              title: t('calendarEnd', { name }),
              url,
              remindDays: REMIND_DAYS,
            },
          ]
        : []),
    ];
    saveFile(new Blob([calendarFile(days, serverClock.date())], { type: 'text/calendar' }), 'karaar.ics');
  };
  return (
    <p className={css.calendar}>
      <Button compact icon="calendar" onClick={save}>
        {t('addToCalendar')}
      </Button>
    </p>
  );
}
