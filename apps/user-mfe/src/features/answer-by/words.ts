/**
 * The texts about the answer-by date for the party and for the creator; pure. They are in the dashboard's
 * catalog, because the work list uses some of them and a separate catalog would add six files to the entry.
 */
import { dayInIndia, hasPassed } from '@karaar/contracts/answer-by';
import type { KeyOf, Message } from '@karaar/i18n';
import { formatDate } from '@karaar/ui/format';
import type en from '../../shared/catalogs/dashboard/texts/en.json';

type Words = { passed: boolean; message: Message<KeyOf<typeof en>> };

/**
 * Returns the text for the person who is asked.
 * @param cancels true if Karaar cancels the document after the date
 */
export function toAsked(day: string, now: Date, cancels = false): Words {
  const passed = hasPassed(day, dayInIndia(now));
  const values = { day: formatDate(day) };
  const key = cancels ? 'answerByOrCancelled' : 'answerBy';
  return { passed, message: { key: passed ? 'answerByPassed' : key, values } };
}

/**
 * Returns the text for the creator.
 * @param name of the person who is asked
 */
export function toCreator(day: string, name: string, now: Date): Words {
  const passed = hasPassed(day, dayInIndia(now));
  const values = { day: formatDate(day), name };
  return { passed, message: { key: passed ? 'answerByMissed' : 'answerByAsked', values } };
}
