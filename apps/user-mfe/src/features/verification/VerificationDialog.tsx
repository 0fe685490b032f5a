import { Button, Modal, ProgressBar, Row, SignaturePad, Skeleton, Stack, toast } from '@karaar/ui';
import { Suspense, useState } from 'react';
import { PhotoCapture } from './PhotoCapture.tsx';
import { verificationTexts as texts } from './texts.ts';
import css from './verification.module.css';
import {
  isComplete,
  missingText,
  nextPhoto,
  partsOf,
  photoQuality,
  type CompleteVerification,
  type PhotoPart,
  type Purpose,
  type Verification,
  type VerificationPart,
} from './verification.ts';
import { VerificationPiece } from './VerificationPiece.tsx';

type VerificationDialogProps = {
  purpose: Purpose;
  /** Photos that were taken before the dialog opened. */
  initial?: Verification;
  /** The images are being sent. */
  sending: boolean;
  /** How far the upload is, 0 to 1. */
  progress?: number | undefined;
  onCancel: () => void;
  onComplete: (files: CompleteVerification) => void;
};

/** Face, eye and signature, each with its picture; for accepting an agreement also the fingerprint. */
export function VerificationDialog(props: VerificationDialogProps) {
  const { purpose, initial = {}, sending, progress, onCancel, onComplete } = props;
  const [files, setFiles] = useState<Verification>(initial);
  const [capturing, setCapturing] = useState<PhotoPart | null>(null);

  const put = (part: VerificationPart, file: File | undefined) => setFiles({ ...files, [part]: file });
  const putImage = (part: VerificationPart) => (file: File) =>
    file.type.startsWith('image/') ? put(part, file) : toast.error(texts.notAnImage);
  const taken = (part: PhotoPart) => (photo: File) => {
    const next = { ...files, [part]: photo };
    setFiles(next);
    setCapturing(nextPhoto(next));
  };
  const complete = () => {
    if (isComplete(purpose, files)) return onComplete(files);
    toast.error(missingText(purpose, files));
  };

  if (capturing) {
    const title = capturing === 'profile_pic' ? texts.captureProfile : texts.captureEye;
    return (
      <Modal title={title} opened onClose={() => setCapturing(null)} width={640} dismissible={false}>
        <PhotoCapture part={capturing} quality={photoQuality(purpose)} onTaken={taken(capturing)} />
      </Modal>
    );
  }
  return (
    <Modal title={texts.modalTitle} opened onClose={onCancel} width={680} dismissible={false}>
      <Stack gap={2.5}>
        <p className="k-muted">{purpose === 'accept' ? texts.leadThumb : texts.lead}</p>
        <section aria-labelledby="verification-documents">
          <h3 id="verification-documents" className={css.heading}>
            {texts.documents}
          </h3>
          <ul className={css.pieces}>
            {partsOf(purpose).map((part) => (
              <VerificationPiece
                key={part}
                part={part}
                file={files[part]}
                onCapture={setCapturing}
                onUpload={putImage(part)}
              />
            ))}
          </ul>
        </section>
        <section aria-labelledby="verification-signature">
          <h3 id="verification-signature" className={css.heading}>
            {texts.signature}
          </h3>
          <Suspense fallback={<Skeleton height={300} />}>
            <SignaturePad
              onSave={(file) => put('sign', file)}
              onClear={() => put('sign', undefined)}
              onUpload={putImage('sign')}
              onEmpty={() => toast.error(texts.signatureMissing)}
            />
          </Suspense>
        </section>
        {sending && <ProgressBar label={texts.sending} value={progress} />}
        <Row justify="flex-end">
          <Button onClick={onCancel} disabled={sending}>
            {texts.cancel}
          </Button>
          <Button variant="primary" onClick={complete} loading={sending}>
            {texts.complete}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}
