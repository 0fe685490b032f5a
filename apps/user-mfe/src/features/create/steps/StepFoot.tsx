import { useTexts } from '@karaar/i18n';
import { Button, Icon, Row } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from '../create.module.css';
import { stepBefore, type Step } from './steps.ts';
import { createTexts } from '../texts.ts';
import type { Saving } from '../draft/useAutosave.ts';

const savingTexts = {
  saving: 'savingNow',
  saved: 'savedNow',
  failed: 'notSaved',
  changed: 'changedElsewhere',
} as const;

type StepFootProps = {
  step: Step;
  saving: Saving;
  onBack: (step: Step) => void;
  onSave: () => void;
  isSaving: boolean;
  busy: boolean;
  discard: ReactNode;
};

/** The buttons to the next step, within the thumb's reach, and the state of saving. */
export function StepFoot({ step, saving, onBack, onSave, isSaving, busy, discard }: StepFootProps) {
  const t = useTexts(createTexts);
  const before = stepBefore(step);
  return (
    <>
      <div className={css.foot}>
        {before && (
          <Button onClick={() => onBack(before)} disabled={busy}>
            {t('back')}
          </Button>
        )}
        {step !== 'sign' && (
          <Button type="submit" variant="primary" disabled={busy}>
            {t('continue')}
          </Button>
        )}
      </div>
      <div className={css.saving}>
        <p className={css.savingText} data-saving={saving} role="status">
          {saving === 'saved' && <Icon name="tick" size={16} />}
          {saving !== 'none' && <span>{t(savingTexts[saving])}</span>}
        </p>

        <Row>
          {saving === 'changed' && (
            <Button icon="refresh" onClick={() => location.reload()}>
              {t('loadSaved')}
            </Button>
          )}
          <Button variant="quiet" icon="document" onClick={onSave} disabled={busy} loading={isSaving}>
            {t('saveDraft')}
          </Button>
          {discard}
        </Row>
      </div>
    </>
  );
}
