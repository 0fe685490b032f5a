import { answerText } from '@karaar/api-client';
import type { Finalization, FinalizationProgress } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Icon, Banner, ProgressBar } from '@karaar/ui';
import css from '../detail.module.css';
import { faultKey, STEPS, stepLabel } from './finalization.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The progress of the final PDF: the present, completed and remaining steps. */
export function FinalizationSteps({ progress }: { progress: FinalizationProgress | null }) {
  const t = useTexts(detailTexts);
  if (!progress) return <ProgressBar label={t('finalizeRunning')} />;
  const at = STEPS.findIndex(({ step }) => step === progress.step);
  return (
    <div className={css.finalizing}>
      <ProgressBar label={t(stepLabel(progress))} value={progress.percent / 100} />
      <ol className={css.steps}>
        {STEPS.map(({ step, name }, index) => (
          <li
            key={step}
            data-state={index < at ? 'done' : index === at ? 'now' : 'next'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className={css.stepMark}>{index < at ? <Icon name="tick" size={14} /> : index + 1}</span>
            <span>{t(name)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The reason why the last attempt failed, and the possible actions. */
export function FinalizationFault({
  finalization,
  mayRetry,
}: {
  finalization: Finalization;
  mayRetry: boolean;
}) {
  const t = useTexts(detailTexts);
  const key = faultKey(finalization.code);
  const file = finalization.file ?? '';
  return (
    <Banner tone="rejected">
      <span>
        {key ? t(key, { file }) : answerText(finalization.detail ?? undefined, t('finalizeFailed'))}
      </span>
      {mayRetry && <span>{` ${t('finalizeRetry')}`}</span>}
    </Banner>
  );
}
