import { serverClock } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import css from './answer-by.module.css';
import { toAsked, toCreator } from './words.ts';

/**
 * Shows the answer-by date, or that it has passed without an answer.
 * @param props.of the name of the person who is asked; left out if the reader is that person
 * @param props.cancels true if Karaar cancels the document after the date
 */
export default function AnswerByNote({
  day,
  of,
  cancels = false,
}: {
  day: string;
  of?: string | undefined;
  cancels?: boolean | undefined;
}) {
  const t = useTexts(dashboardTexts);
  const now = serverClock.date();
  const { passed, message } = of === undefined ? toAsked(day, now, cancels) : toCreator(day, of, now);
  return (
    <span className={css.note} data-passed={passed || undefined}>
      <Icon name="calendar" size={16} />
      <span>{t(message)}</span>
    </span>
  );
}
