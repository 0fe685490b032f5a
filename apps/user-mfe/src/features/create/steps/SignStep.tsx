import { useTexts } from '@karaar/i18n';
import { Button, Facts, formatDate, Banner, Sheet, Stack, TextButton } from '@karaar/ui';
import { useId } from 'react';
import { dashboardTexts } from '../../../shared/catalogs/dashboard/texts.ts';
import verificationCss from '../../verification/verification.module.css';
import type { PhotoPart } from '../../verification/verification.ts';
import { VerificationPiece } from '../../verification/VerificationPiece.tsx';
import type { StepProps } from './DocumentStep.tsx';
import { targetOf } from '../form/form.ts';
import { PriceLine } from '../form/PriceLine.tsx';
import type { Fault } from './steps.ts';
import { createTexts } from '../texts.ts';
import type { useSending } from '../useSending.ts';
import type { Target } from '../people/useTarget.ts';

const photoParts: readonly PhotoPart[] = ['profile_pic', 'eye'];

type SignStepProps = StepProps & {
  target: Target;
  fault: Fault | undefined;
  onCapture: (part: PhotoPart) => void;
  onFault: (fault: Fault) => void;
  sending: Pick<ReturnType<typeof useSending>, 'creating' | 'saving' | 'waiting'>;
};

/** The summary with the price, and the creator's verification; then the form is sent. */
export default function SignStep({ entered, target, fault, onCapture, onFault, sending }: SignStepProps) {
  const t = useTexts(createTexts);
  const words = useTexts(dashboardTexts);
  const lackId = useId();
  const { form, files, kept, photos } = entered;
  const names = [...kept, ...files].map((file) => file.name).join(', ');
  const blank = files.length + kept.length === 0 || form.name === '' || targetOf(form) === '';
  return (
    <>
      <Sheet title={t('summary')}>
        <Stack>
          <Facts
            entries={[
              [t('name'), form.name],
              [t('files'), names],
              form.invite_by === 'contact'
                ? [t('contact'), form.target_contact]
                : [t(target.name ? 'party' : 'target'), target.name ?? form.target_user_char_id],
              [words('answerByLabel'), form.answer_by && formatDate(form.answer_by)],
              [words('lateTitle'), form.answer_by && words(form.late ? 'lateCancel' : 'lateOpen')],
            ]}
          />
          <PriceLine form={form} />
        </Stack>
      </Sheet>
      <Sheet title={t('you')} note={t('youNote')}>
        <ul className={verificationCss.pieces}>
          {photoParts.map((part) => (
            <VerificationPiece key={part} part={part} file={photos[part]} onCapture={onCapture} />
          ))}
        </ul>
      </Sheet>
      {sending.waiting && <Banner>{t('stillChecking')}</Banner>}
      <Stack gap={1}>
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={blank || sending.creating || sending.saving}
          loading={sending.creating}
          aria-describedby={fault ? lackId : undefined}
        >
          {t('submit')}
        </Button>
        {fault && (
          <p id={lackId} className="k-muted k-small">
            <TextButton onClick={() => onFault(fault)}>{t(fault.key)}</TextButton>
          </p>
        )}
      </Stack>
    </>
  );
}
