import { useTexts } from '@karaar/i18n';
import {
  Button,
  Modal,
  ProgressBar,
  SignaturePad,
  Skeleton,
  Stack,
  takesByItself,
  toast,
  type PhotoOrigin,
  type Signed,
} from '@karaar/ui';
import { Suspense, useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { useBackCloses } from '../../shared/useBackCloses.ts';
import { CaptureProgress } from './CaptureProgress.tsx';
import { PhotoCapture } from './PhotoCapture.tsx';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import css from './verification.module.css';
import {
  isComplete,
  missingText,
  nextPhoto,
  partsOf,
  type CompleteVerification,
  type PhotoPart,
  type Purpose,
  type Verification,
  type VerificationPart,
  withPhoto,
} from './verification.ts';
import { VerificationPiece } from './VerificationPiece.tsx';

type VerificationDialogProps = {
  purpose: Purpose;
  /** The purpose, if the page behind does not show it. */
  banner?: ReactNode;
  about: CaptureAbout;
  /** Photos and the signature from before the dialog opened. */
  initial?: Verification;
  sending: boolean;
  /** The progress of the upload, 0 to 1. */
  progress?: number | undefined;
  onCancel: () => void;
  onComplete: (files: CompleteVerification) => void;
};

const leads = {
  create: 'leadUpload',
  join: 'leadUpload',
  'self-verify': 'lead',
  accept: 'leadThumb',
} as const;

/** Face, eye and signature, each with its picture; for accepting an agreement also the fingerprint. */
export function VerificationDialog(props: VerificationDialogProps) {
  const t = useTexts(verificationTexts);
  const { purpose, banner, about, initial = {}, sending, progress, onCancel, onComplete } = props;
  const [files, setFiles] = useState<Verification>(initial);
  // With automatic photos the camera also opens by itself.
  const [capturing, setCapturing] = useState<PhotoPart | null>(() =>
    takesByItself() ? nextPhoto(initial) : null,
  );

  // The list shows the file of the pad; Complete creates it again from the pad's present content.
  const [signed, setSigned] = useState(() => signedBefore(initial));
  const [taking, setTaking] = useState(false);
  const still = sending || taking;

  // Updates the latest state: a signature takes time to become a file, and a fingerprint may arrive
  // meanwhile.
  const put = (part: VerificationPart, file: File | undefined) =>
    setFiles((now) => ({ ...now, [part]: file }));
  useEffect(() => {
    let current = true;
    const show = (sign: File | undefined) => {
      if (current) setFiles((now) => ({ ...now, sign }));
    };
    // A picture that cannot be created is not listed; Complete reports it.
    void signed?.picture().then(show, () => show(undefined));
    if (!signed) show(undefined);
    return () => {
      current = false;
    };
  }, [signed]);
  const taken = (part: PhotoPart) => (photo: File, origin: PhotoOrigin) => {
    setFiles((now) => withPhoto(now, part, photo, origin));
    setCapturing(nextPhoto({ ...files, [part]: photo }));
  };
  const leave = () => {
    if (!still) onCancel();
  };
  useBackCloses(() => {
    if (capturing) setCapturing(null);
    else leave();
    return capturing !== null || still;
  });
  // The busy state renders later; this prevents a second press.
  const completed = useRef(false);
  useEffect(() => {
    if (!sending) completed.current = false;
  }, [sending]);
  const complete = async () => {
    if (completed.current) return;
    completed.current = true;
    setTaking(true);
    const sign = await signed?.picture().catch(() => null);
    setTaking(false);
    const all = { ...files, sign: sign ?? undefined, sign_method: signed?.method };
    if (isComplete(purpose, all)) return onComplete(all);
    completed.current = false;
    const missing = missingText(purpose, all);
    if (missing) toast.error(t(sign === null ? 'signatureFailed' : missing));
  };

  const title = capturing === 'profile_pic' ? t('captureProfile') : t('captureEye');
  return (
    <Modal
      title={capturing ? title : t('modalTitle')}
      opened
      onClose={capturing ? () => setCapturing(null) : leave}
      width={capturing ? 640 : 680}
      dismissible={capturing ? 'escape' : false}
      full={capturing !== null}
    >
      {capturing && (
        <>
          {banner}
          <CaptureProgress part={capturing} />
          <PhotoCapture part={capturing} purpose={purpose} about={about} onTaken={taken(capturing)} />
        </>
      )}
      {/* keeps the content of the pad while a photo is taken */}
      {(!capturing || signed) && (
        <div hidden={capturing !== null}>
          <Stack gap={2.5}>
            {banner}
            <p className="k-muted">{t(leads[purpose])}</p>
            <DocumentsSection
              purpose={purpose}
              files={files}
              onCapture={setCapturing}
              onUpload={(part, file) =>
                file.type.startsWith('image/') ? put(part, file) : toast.error(t('notAnImage'))
              }
            />
            <SignatureSection onChange={setSigned} kept={initial.sign} still={still} />
            {sending && <ProgressBar label={t('sending')} value={progress} />}
            <div className={css.foot}>
              <Button onClick={leave} disabled={still}>
                {t('cancel')}
              </Button>
              <Button variant="primary" onClick={() => void complete()} loading={sending}>
                {t('complete')}
              </Button>
            </div>
          </Stack>
        </div>
      )}
    </Modal>
  );
}

type DocumentsSectionProps = {
  purpose: Purpose;
  files: Verification;
  onCapture: (part: PhotoPart) => void;
  onUpload: (part: VerificationPart, file: File) => void;
};

function DocumentsSection({ purpose, files, onCapture, onUpload }: DocumentsSectionProps) {
  const t = useTexts(verificationTexts);
  return (
    <section aria-labelledby="verification-documents">
      <h3 id="verification-documents" className={css.heading}>
        {t('documents')}
      </h3>
      <ul className={css.pieces}>
        {partsOf(purpose).map((part) => (
          <VerificationPiece
            key={part}
            part={part}
            file={files[part]}
            isNext={part === nextPhoto(files)}
            onCapture={onCapture}
            onUpload={(file) => onUpload(part, file)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Returns the signature of an earlier attempt, so that a failed request loses nothing. */
const signedBefore = ({ sign, sign_method: method }: Verification): Signed | undefined =>
  sign && method && { method, picture: async () => sign };

function SignatureSection(pad: Pick<ComponentProps<typeof SignaturePad>, 'onChange' | 'kept' | 'still'>) {
  const t = useTexts(verificationTexts);
  return (
    <section aria-labelledby="verification-signature">
      <h3 id="verification-signature" className={css.heading}>
        {t('signature')}
      </h3>
      <Suspense fallback={<Skeleton height={300} />}>
        <SignaturePad {...pad} onEmpty={() => toast.error(t('signatureMissing'))} />
      </Suspense>
    </section>
  );
}
