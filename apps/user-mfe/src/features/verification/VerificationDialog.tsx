import { useTexts } from '@karaar/i18n';
import { Button, Modal, ProgressBar, SignaturePad, Skeleton, Stack, toast } from '@karaar/ui';
import { Suspense, type ComponentProps, type ReactNode } from 'react';
import { useBackCloses } from '../../shared/useBackCloses.ts';
import { useShell } from '../../shared/useShell.ts';
import { CaptureProgress } from './CaptureProgress.tsx';
import { PhotoCapture } from './PhotoCapture.tsx';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import { useVerification } from './useVerification.ts';
import css from './verification.module.css';
import {
  nextPart,
  nextPhoto,
  partsOf,
  type CompleteVerification,
  type PhotoPart,
  type Purpose,
  type Verification,
  type VerificationPart,
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
  const { purpose, banner, about, initial = {}, sending, progress, onCancel, onComplete } = props;
  const t = useTexts(verificationTexts);
  const verification = useVerification({ purpose, about, initial, sending, onComplete });
  const { files, capturing, setCapturing, signed } = verification;
  const still = sending || verification.taking;
  const leave = () => {
    if (!still) onCancel();
  };
  useBackCloses(() => {
    if (capturing) setCapturing(null);
    else leave();
    return capturing !== null || still;
  });

  // The next step comes first. The keys keep the content of the pad.
  const hasPhotos = nextPhoto(files) === null;
  const documents = (
    <DocumentsSection
      key="documents"
      purpose={purpose}
      files={files}
      onCapture={setCapturing}
      onUpload={(part, file) =>
        file.type.startsWith('image/') ? verification.put(part, file) : toast.error(t('notAnImage'))
      }
    />
  );
  const signature = (
    <SignatureSection
      key="signature"
      onChange={verification.setSigned}
      kept={verification.initial.sign}
      still={still}
    />
  );
  const title = capturing === 'profile_pic' ? t('captureProfile') : t('captureEye');
  return (
    <Modal
      title={capturing ? title : t('modalTitle')}
      opened
      onClose={capturing ? () => setCapturing(null) : leave}
      width={680}
      dismissible={capturing ? 'escape' : false}
      full
    >
      {banner}
      <CaptureProgress purpose={purpose} at={capturing ?? nextPart(purpose, files)} />
      {capturing && (
        <PhotoCapture
          part={capturing}
          purpose={purpose}
          about={about}
          onTaken={verification.taken(capturing)}
        />
      )}
      {/* keeps the content of the pad while a photo is taken */}
      {(!capturing || signed) && (
        <div hidden={capturing !== null}>
          <Stack gap={2.5}>
            {hasPhotos || <p className="k-muted">{t(leads[purpose])}</p>}
            {hasPhotos ? [signature, documents] : [documents, signature]}
            {sending && <ProgressBar label={t('sending')} value={progress} />}
            <div className={css.foot}>
              <Button onClick={leave} disabled={still}>
                {t('cancel')}
              </Button>
              <Button variant="primary" onClick={() => void verification.complete()} loading={sending}>
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

function SignatureSection(pad: Pick<ComponentProps<typeof SignaturePad>, 'onChange' | 'kept' | 'still'>) {
  const t = useTexts(verificationTexts);
  const { user } = useShell();
  return (
    <section aria-labelledby="verification-signature">
      <h3 id="verification-signature" className={css.heading}>
        {t('signature')}
      </h3>
      <Suspense fallback={<Skeleton height={300} />}>
        <SignaturePad {...pad} name={user?.name} onEmpty={() => toast.error(t('signatureMissing'))} />
      </Suspense>
    </section>
  );
}
