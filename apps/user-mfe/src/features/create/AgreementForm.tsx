import type { Document } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import { Button, LoadBoundary, Banner, Page, Stack, toast, type PhotoOrigin } from '@karaar/ui';
import { Suspense, useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'react-router';
import { useCompleteProfile } from '../../shared/identity/useCompleteProfile.ts';
import { verificationTexts } from '../verification/texts.ts';
import {
  missingText,
  nextPhoto,
  type CompleteVerification,
  type PhotoPart,
  withPhoto,
} from '../verification/verification.ts';
import { currentDraft } from './draft/current-draft.ts';
import { DocumentStep } from './steps/DocumentStep.tsx';
import { PeopleStep, TermsStep } from './steps/PeopleStep.tsx';
import { StepBar } from './steps/StepBar.tsx';
import { StepFoot } from './steps/StepFoot.tsx';
import { faultsOf, stepAfter, type Fault, type Step } from './steps/steps.ts';
import { createTexts } from './texts.ts';
import { useAutosave } from './draft/useAutosave.ts';
import { useEntered } from './form/useEntered.ts';
import { useFileQuestions } from './files/useFileQuestions.ts';
import { useSending } from './useSending.ts';
import { useStep } from './steps/useStep.ts';
import { useTarget } from './people/useTarget.ts';

// Loaded while the user fills in the form: the signature and the camera come last. One chunk.
const Capturing = screen(() => import(/* webpackChunkName: "capturing" */ './Capturing.tsx'), []);
const SignStep = screen(() => import(/* webpackChunkName: "capturing" */ './steps/SignStep.tsx'), []);
const DiscardDraft = screen(() => import(/* webpackChunkName: "capturing" */ './draft/DiscardDraft.tsx'), []);

/** The input name of the field of a fault. */
const FIELD_NAMES: Record<Fault['field'], string> = {
  files: 'raw_documents',
  name: 'name',
  target: 'target_user_char_id',
  answer_by: 'answer_by',
  start_date: 'start_date',
  end_date: 'end_date',
};

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
  const [capturing, setCapturing] = useState<PhotoPart | null>(null);
  const [signing, setSigning] = useState(false);
  useEffect(() => {
    // The dialog shows a failed load and retries it.
    Capturing.preload().catch(() => undefined);
  }, []);
  /** The steps that the user tried to leave: they show their missing fields. */
  const [tried, setTried] = useState<readonly Step[]>([]);
  const [byHand, setByHand] = useState(false);

  const target = useTarget(form.target_user_char_id);
  const asked = useFileQuestions({
    files,
    onFiles: (next) => entered.change({ files: next }),
    kept,
    onKept: (next) => entered.change({ kept: next }),
    accepted,
  });
  const faults = faultsOf(form, files.length + kept.length, target.fault);
  const faultAt = (field: Fault['field']) => {
    const fault = faults.find((each) => each.field === field && tried.includes(each.step));
    return fault && t(fault.key);
  };
  const busy = sending.saving || sending.creating;
  const about = autosave.id ? { document_id: autosave.id } : {};

  const capture = (part: PhotoPart) => void autosave.settle().then(() => setCapturing(part));

  // The field of a fault exists once its step is rendered.
  const focusOn = useRef<Fault>(undefined);
  const openCamera = useRef(false);
  const arrive = useEffectEvent(() => {
    if (focusOn.current?.step === step) {
      const { field } = focusOn.current;
      const name = field === 'target' && form.invite_by === 'contact' ? 'target_contact' : FIELD_NAMES[field];
      document.getElementsByName(name)[0]?.focus();
      focusOn.current = undefined;
    }
    if (step !== 'sign' || !openCamera.current) return;
    openCamera.current = false;
    const photo = nextPhoto(photos);
    if (photo) capture(photo);
    else setSigning(true);
  });
  useEffect(() => arrive(), [step, tried]);
  const show = (fault: Fault) => {
    setTried((now) => [...now, fault.step]);
    focusOn.current = fault;
    if (fault.step !== step) go(fault.step);
  };
  const goOn = () => {
    const fault = faults.find((each) => each.step === step);
    if (fault) return show(fault);
    const next = stepAfter(step);
    // Everything else is complete: open the camera.
    openCamera.current = next === 'sign' && faults.length === 0 && asked.every((file) => file.isAccepted);
    go(next);
  };

  const taken = (part: PhotoPart) => (photo: File, origin: PhotoOrigin) => {
    const next = withPhoto(photos, part, photo, origin);
    entered.change({ photos: next });
    setCapturing(nextPhoto(next));
    // Both photos exist: open the signature if everything else is complete.
    if (!nextPhoto(next) && faults.length === 0) setSigning(true);
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
    const photo = nextPhoto(photos);
    if (!photo) return setSigning(true);
    const missing = missingText('create', photos);
    if (missing) toast.error(sayVerification(missing));
    capture(photo);
  };
  const save = () => {
    if (!form.name.trim()) {
      toast.error(t('nameMissing'));
      return show({ step: 'document', field: 'name', key: 'nameMissing' });
    }
    setByHand(true);
    sending.save();
  };
  const complete = (verification: CompleteVerification) => {
    entered.change({ photos: verification });
    setSigning(false);
    sending.create(verification);
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
      {(capturing || signing) && (
        <LoadBoundary>
          <Suspense>
            <Capturing
              part={capturing}
              about={about}
              initial={photos}
              onTaken={(photo, origin) => capturing && taken(capturing)(photo, origin)}
              onClose={() => (capturing ? setCapturing(null) : setSigning(false))}
              onComplete={complete}
            />
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
