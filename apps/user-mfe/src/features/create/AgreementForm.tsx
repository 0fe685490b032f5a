import type { Document } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import { Button, LoadBoundary, Banner, Page, Stack, toast } from '@karaar/ui';
import { Suspense, useEffect, useState, type FormEvent } from 'react';
import { useLocation } from 'react-router';
import { useCompleteProfile } from '../../shared/identity/useCompleteProfile.ts';
import { verificationTexts } from '../verification/texts.ts';
import { missingText, nextPhoto } from '../verification/verification.ts';
import { currentDraft } from './draft/current-draft.ts';
import { DocumentStep } from './steps/DocumentStep.tsx';
import { PeopleStep, TermsStep } from './steps/PeopleStep.tsx';
import { StepBar } from './steps/StepBar.tsx';
import { StepFoot } from './steps/StepFoot.tsx';
import { stepAfter, type Step } from './steps/steps.ts';
import { useFaults } from './steps/useFaults.ts';
import { createTexts } from './texts.ts';
import { useAutosave } from './draft/useAutosave.ts';
import { useEntered } from './form/useEntered.ts';
import { useFileQuestions } from './files/useFileQuestions.ts';
import { useCapturing } from './useCapturing.ts';
import { useSending } from './useSending.ts';
import { useStep } from './steps/useStep.ts';
import { useTarget } from './people/useTarget.ts';

// Loaded while the user fills in the form: the signature and the camera come last. One chunk.
const Capturing = screen(() => import(/* webpackChunkName: "capturing" */ './Capturing.tsx'), []);
const SignStep = screen(() => import(/* webpackChunkName: "capturing" */ './steps/SignStep.tsx'), []);
const DiscardDraft = screen(() => import(/* webpackChunkName: "capturing" */ './draft/DiscardDraft.tsx'), []);

type AgreementFormProps = {
  draft?: Document;
  onMade?: (id: string) => void;
};

/** A new agreement in four short steps: files, other party, terms with the price, signature. */
export function AgreementForm({ draft, onMade }: AgreementFormProps) {
  const t = useTexts(createTexts);
  const sayVerification = useTexts(verificationTexts);
  const profile = useCompleteProfile();
  const { state: place } = useLocation() as { state: { renewed?: boolean } | null };
  const isRenewed = place?.renewed === true;
  const entered = useEntered(draft);
  const { form, files, kept, photos, accepted } = entered;
  const { step, go, keepDraft } = useStep();
  const autosave = useAutosave(draft, entered, (id) => {
    onMade?.(id);
    keepDraft(id);
  });
  const sending = useSending({ entered, autosave }, profile.refused);
  useEffect(() => {
    // The dialog shows a failed load and retries it.
    Capturing.preload().catch(() => undefined);
  }, []);
  const [byHand, setByHand] = useState(false);
  const target = useTarget(form.target_user_char_id);
  const asked = useFileQuestions({
    files,
    onFiles: (next) => entered.change({ files: next }),
    kept,
    onKept: (next) => entered.change({ kept: next }),
    accepted,
  });
  const { faults, faultAt, show } = useFaults(
    { form, fileCount: files.length + kept.length, target },
    step,
    go,
  );
  const { capture, openNext, openOnArrival, dialog } = useCapturing({
    entered,
    step,
    settle: autosave.settle,
    isFilled: faults.length === 0,
    onComplete: sending.create,
  });
  const busy = sending.saving || sending.creating;

  const goOn = () => {
    const fault = faults.find((each) => each.step === step);
    if (fault) return show(fault);
    const next = stepAfter(step);
    const isReady = faults.length === 0 && asked.every((file) => file.isAccepted);
    if (next === 'sign' && isReady) openOnArrival();
    go(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step !== 'sign') return goOn();
    if (!profile.isComplete()) return;
    const [fault] = faults;
    if (fault) {
      toast.error(t(fault.key));
      return show(fault);
    }
    const open = asked.find((file) => !file.isAccepted);
    if (open) {
      toast.error(t(open.pictures.length > 0 ? 'picturesOpen' : 'leftOutOpen'));
      return go('document');
    }
    const missing = nextPhoto(photos) && missingText('create', photos);
    if (missing) toast.error(sayVerification(missing));
    openNext();
  };
  const save = () => {
    if (!form.name.trim()) {
      toast.error(t('nameMissing'));
      return show({ step: 'document', field: 'name', key: 'nameMissing' });
    }
    setByHand(true);
    sending.save();
  };
  const stepProps = { entered, faultAt };

  return (
    <Page title={draft || byHand ? t('draftTitle') : t('title')} lead={t('lead')} narrow>
      <StepBar
        step={step}
        isDone={(each) => each !== 'sign' && isFilled(each) && !faults.some((fault) => fault.step === each)}
        onStep={go}
      />
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          {entered.isFound && (
            <Banner
              action={
                <Button compact icon="refresh" onClick={entered.startOver} disabled={busy}>
                  {t('startOver')}
                </Button>
              }
            >
              {t(isRenewed ? 'renewNote' : 'stillHere')}
            </Banner>
          )}
          {step === 'document' && <DocumentStep {...stepProps} asked={asked} />}
          {step === 'people' && (
            <PeopleStep {...stepProps} target={target} onChosen={() => go(stepAfter('people'))} />
          )}
          {step === 'terms' && <TermsStep {...stepProps} />}
          {step === 'sign' && (
            <LoadBoundary>
              <Suspense>
                <SignStep
                  {...stepProps}
                  target={target}
                  fault={faults[0]}
                  onCapture={capture}
                  onFault={show}
                  sending={sending}
                />
              </Suspense>
            </LoadBoundary>
          )}
          <StepFoot
            step={step}
            saving={autosave.saving}
            onBack={go}
            onSave={save}
            isSaving={sending.saving}
            busy={busy}
            discard={
              autosave.id && (
                <LoadBoundary>
                  <Suspense fallback={null}>
                    <DiscardDraft
                      id={autosave.id}
                      disabled={busy}
                      onDiscarded={() => {
                        entered.forget();
                        currentDraft.forget();
                      }}
                    />
                  </Suspense>
                </LoadBoundary>
              )
            }
          />
        </Stack>
      </form>
      {dialog && (
        <LoadBoundary>
          <Suspense>
            <Capturing {...dialog} about={autosave.id ? { document_id: autosave.id } : {}} />
          </Suspense>
        </LoadBoundary>
      )}
    </Page>
  );

  /** Optional steps are complete once they have content. */
  function isFilled(each: Step): boolean {
    return each !== 'terms' || form.start_date !== '' || form.end_date !== '';
  }
}
