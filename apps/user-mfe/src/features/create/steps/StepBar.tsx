import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import css from '../create.module.css';
import { STEPS, type Step } from './steps.ts';
import { createTexts } from '../texts.ts';

const names = {
  document: 'stepDocument',
  people: 'stepPeople',
  terms: 'stepTerms',
  sign: 'stepSign',
} as const satisfies Record<Step, string>;

/** Shows the steps of a new agreement; each can be opened at any time. */
export function StepBar({
  step,
  isDone,
  onStep,
}: {
  step: Step;
  isDone: (step: Step) => boolean;
  onStep: (step: Step) => void;
}) {
  const t = useTexts(createTexts);
  return (
    <nav aria-label={t('steps')}>
      <ol className={css.steps}>
        {STEPS.map((each, index) => (
          <li key={each} className={css.step} data-done={isDone(each) || undefined}>
            <button
              type="button"
              className={css.stepButton}
              aria-current={each === step ? 'step' : undefined}
              onClick={() => onStep(each)}
            >
              <span className={css.stepMark} aria-hidden="true">
                {isDone(each) && each !== step ? <Icon name="tick" size={16} /> : index + 1}
              </span>
              <span className={css.stepName}>{t(names[each])}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
