import { useTexts } from '@karaar/i18n';
import { Icon, partTexts } from '@karaar/ui';
import { Picture } from '../pictures/Picture.tsx';
import css from './navigation.module.css';

export type StepState = 'todo' | 'now' | 'done';
export type VerificationStep = {
  kind: 'face' | 'eye' | 'signature' | 'thumb';
  label: string;
  state: StepState;
  /** What was taken, shown in place of the drawing. */
  src?: string | null | undefined;
};

const stateTexts = { todo: 'stepNext', now: 'stepNow', done: 'stepDone' } as const;

/** The steps of a verification, a picture each: what is wanted, or what was taken. */
export function VerificationSteps({ label, steps }: { label: string; steps: readonly VerificationStep[] }) {
  const t = useTexts(partTexts);
  return (
    <ol className={css.steps} aria-label={label}>
      {steps.map(({ kind, label: name, state, src }) => (
        <li
          key={kind}
          className={css.step}
          data-state={state}
          aria-current={state === 'now' ? 'step' : undefined}
        >
          <span className={css.stepPicture} data-paper={(kind === 'signature' && !!src) || undefined}>
            {src ? <img src={src} alt="" /> : <Picture name={kind} size={96} />}
            {state === 'done' && (
              <span className={css.stepTick} aria-hidden="true">
                <Icon name="tick" size={14} />
              </span>
            )}
          </span>
          <span className={css.stepName}>{name}</span>
          <span className={css.stepState}>{t(stateTexts[state])}</span>
        </li>
      ))}
    </ol>
  );
}
