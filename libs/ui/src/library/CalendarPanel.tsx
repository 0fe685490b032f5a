import { serverClock } from '@karaar/api-client';
import { dayInIndia } from '@karaar/contracts/answer-by';
import { activeLocale, useTexts } from '@karaar/i18n';
import { DatePicker } from '@mantine/dates';
import { Icon } from '../icons/Icon.tsx';
import { partTexts } from '../parts/texts.ts';
import css from './calendar.module.css';

export type CalendarProps = {
  /** ISO days. */
  value: string | undefined;
  min: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
};

/** Returns a formatter of ISO days in the present language. */
function named(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(activeLocale(), { ...options, timeZone: 'UTC' });
  return (day) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** The calendar of a date field, inside a dialog. Arrow keys move between the days. */
export default function CalendarPanel({ value, min, max, onChoose }: CalendarProps) {
  const t = useTexts(partTexts);
  const today = dayInIndia(serverClock.date());
  const near = min && today < min ? min : max && today > max ? max : today;
  const shown = value ?? near;
  const [previous, next] = [t('previous'), t('next')];
  return (
    <DatePicker
      className={css.calendar ?? ''}
      classNames={{
        calendarHeader: css.head ?? '',
        calendarHeaderControl: css.turn ?? '',
        calendarHeaderLevel: css.level ?? '',
        weekday: css.weekday ?? '',
        day: css.day ?? '',
        monthsListControl: css.day ?? '',
        yearsListControl: css.day ?? '',
      }}
      value={value ?? null}
      defaultDate={shown}
      {...(min ? { minDate: min } : {})}
      {...(max ? { maxDate: max } : {})}
      onChange={(day) => day && onChoose(day)}
      firstDayOfWeek={0}
      hideOutsideDates
      monthLabelFormat={named({ month: 'long', year: 'numeric' })}
      monthsListFormat={named({ month: 'short' })}
      weekdayFormat={named({ weekday: 'short' })}
      getDayAriaLabel={named({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
      getDayProps={(day) => ({
        'aria-current': day === today ? 'date' : undefined,
        'aria-pressed': day === value,
        'data-autofocus': day === shown || undefined,
      })}
      previousIcon={<Icon name="down" />}
      nextIcon={<Icon name="down" />}
      ariaLabels={{
        previousMonth: previous,
        nextMonth: next,
        previousYear: previous,
        nextYear: next,
        previousDecade: previous,
        nextDecade: next,
      }}
    />
  );
}
