/** The four short steps of a new agreement, and what keeps each from being left; pure. */
import { serverClock } from '@karaar/api-client';
import { dayInIndia, isAnswerBy } from '@karaar/contracts/answer-by';
import type { KeyOf } from '@karaar/i18n';
import { isContact } from '../../../shared/contact.ts';
import { targetOf, type CreateForm } from '../form/form.ts';
import type en from '../texts/en.json';

export const STEPS = ['document', 'people', 'terms', 'sign'] as const;
export type Step = (typeof STEPS)[number];

/** What is wrong, and at which field: a fault is told there and nowhere else. */
export type Fault = {
  step: Step;
  field: 'files' | 'name' | 'target' | 'answer_by' | 'end_date';
  key: KeyOf<typeof en>;
};

export const isStep = (value: string | null): value is Step => STEPS.some((step) => step === value);
export const stepAfter = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'sign';
export const stepBefore = (step: Step): Step | undefined => STEPS[STEPS.indexOf(step) - 1];

/** Whether an agreement would end before it begins. */
export const areReversed = ({
  start_date: start,
  end_date: end,
}: Pick<CreateForm, 'start_date' | 'end_date'>) => start !== '' && end !== '' && end < start;

/**
 * Everything that keeps the form from being sent, in the order in which it is told (spec §5 Create document).
 * @param targetFault the fault of the other party's ID, where no account has it or it is the user's own
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
  if (areReversed(form)) faults.push({ step: 'terms', field: 'end_date', key: 'datesReversed' });
  return faults;
}

/** A document's name from that of its first file: without the ending, words apart. */
export function nameFromFile(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  const base = dot > 0 ? fileName.slice(0, dot) : fileName;
  return base.replaceAll(/[_-]+/g, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
