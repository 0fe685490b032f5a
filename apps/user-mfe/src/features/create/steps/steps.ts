/** The four short steps of a new agreement, and their faults; pure. */
import { serverClock } from '@karaar/api-client';
import { dayInIndia, isAnswerBy } from '@karaar/contracts/answer-by';
import { isCalendarDay } from '@karaar/contracts/calendar-day';
import type { KeyOf } from '@karaar/i18n';
import { isContact } from '../../../shared/contact.ts';
import { targetOf, type CreateForm } from '../form/form.ts';
import type en from '../texts/en.json';

export const STEPS = ['document', 'people', 'terms', 'sign'] as const;
export type Step = (typeof STEPS)[number];

/** A fault and its field: each fault is shown only there. */
export type Fault = {
  step: Step;
  field: 'files' | 'name' | 'target' | 'answer_by' | 'start_date' | 'end_date';
  key: KeyOf<typeof en>;
};

export const isStep = (value: string | null): value is Step => STEPS.some((step) => step === value);
export const stepAfter = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'sign';
export const stepBefore = (step: Step): Step | undefined => STEPS[STEPS.indexOf(step) - 1];

/** Returns the fault of the dates: one is not a day, or the agreement would end before it begins. */
export function datesFault(form: Pick<CreateForm, 'start_date' | 'end_date'>): Fault | undefined {
  const { start_date: start, end_date: end } = form;
  for (const field of ['start_date', 'end_date'] as const)
    if (form[field] && !isCalendarDay(form[field])) return { step: 'terms', field, key: 'dateUnread' };
  return start && end && end < start ? { step: 'terms', field: 'end_date', key: 'datesReversed' } : undefined;
}

/**
 * Returns every fault that prevents sending, in order (spec §5 Create document).
 * @param targetFault the fault of the other party's ID: unknown, or the user's own
 * @param today in India
 */
export function faultsOf(
  form: CreateForm,
  fileCount: number,
  targetFault: 'targetYourself' | 'targetUnknown' | null = null,
  today: string = dayInIndia(serverClock.date()),
): Fault[] {
  const faults: Fault[] = [];
  if (!form.name.trim()) faults.push({ step: 'document', field: 'name', key: 'nameMissing' });
  if (!targetOf(form)) faults.push({ step: 'people', field: 'target', key: 'targetMissing' });
  else if (form.invite_by === 'contact') {
    if (!isContact(form.target_contact))
      faults.push({ step: 'people', field: 'target', key: 'contactWrong' });
  } else if (targetFault) faults.push({ step: 'people', field: 'target', key: targetFault });
  if (form.answer_by && !isAnswerBy(form.answer_by, today))
    faults.push({ step: 'people', field: 'answer_by', key: 'answerByWrong' });
  if (fileCount === 0) faults.push({ step: 'document', field: 'files', key: 'fileMissing' });
  const dates = datesFault(form);
  return dates ? [...faults, dates] : faults;
}

/** Returns a document name from a file name: no extension, words separated. */
export function nameFromFile(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  const base = dot > 0 ? fileName.slice(0, dot) : fileName;
  return base.replaceAll(/[_-]+/g, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
