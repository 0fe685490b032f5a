import { serverClock } from '@karaar/api-client';
import { dayInIndia, lastAnswerBy } from '@karaar/contracts/answer-by';
import { useTexts } from '@karaar/i18n';
import { DateField } from '@karaar/ui/fields';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

type AnswerByFieldProps = {
  value: string;
  /** Receives the day, or a typed text that is not one. */
  onChange: (day: string) => void;
  error?: string | undefined;
  required?: boolean;
};

/** The date by which the other party is asked to answer; the calendar offers the valid days. */
export default function AnswerByField({ value, onChange, error, required = false }: AnswerByFieldProps) {
  const t = useTexts(dashboardTexts);
  const today = dayInIndia(serverClock.date());
  return (
    <DateField
      label={t('answerByLabel')}
      hint={t('answerByHint')}
      name="answer_by"
      required={required}
      min={today}
      max={lastAnswerBy(today)}
      value={value}
      error={error}
      onChange={(day, typed) => onChange(day || typed)}
    />
  );
}
