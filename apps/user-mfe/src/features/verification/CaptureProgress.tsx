import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { verificationTexts } from './texts.ts';
import css from './verification.module.css';
import { partsOf, type Purpose, type VerificationPart } from './verification.ts';

const names = {
  profile_pic: 'faceStep',
  eye: 'eyeStep',
  sign: 'sign',
  thumb: 'thumb',
  done: 'done',
} as const;

type CaptureProgressProps = {
  purpose: Purpose;
  /** The part that is next; `done` once all exist. */
  at: VerificationPart | 'done';
};

/** Shows the progress from the face over the eye and the signature to the end. */
export function CaptureProgress({ purpose, at }: CaptureProgressProps) {
  const t = useTexts(verificationTexts);
  const steps = [...partsOf(purpose), 'done'] as const;
  const now = steps.indexOf(at);
  return (
    <ol className={css.progress} aria-label={t('progress')}>
      {steps.map((step, index) => {
        const isDone = index < now || at === 'done';
        return (
          <li key={step} aria-current={step === at ? 'step' : undefined} data-done={isDone || undefined}>
            <span className={css.progressMark} aria-hidden="true">
              {isDone ? <Icon name="tick" size={14} /> : index + 1}
            </span>
            <span>{t(names[step])}</span>
          </li>
        );
      })}
    </ol>
  );
}
