import type { PhotoOrigin } from '@karaar/ui';
import { CaptureModal } from '../verification/CaptureModal.tsx';
import type { CompleteVerification, PhotoPart, Verification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';

type CapturingProps = {
  /** The single photo to take; null for the whole guided capture. */
  part: PhotoPart | null;
  about: Parameters<typeof VerificationDialog>[0]['about'];
  initial: Verification;
  onTaken: (photo: File, origin: PhotoOrigin) => void;
  onClose: () => void;
  onComplete: (verification: CompleteVerification) => void;
};

/** The capture of the last step, in a separate chunk that loads while the form is filled in. */
export default function Capturing({ part, about, initial, onTaken, onClose, onComplete }: CapturingProps) {
  if (part) return <CaptureModal part={part} about={about} onTaken={onTaken} onClose={onClose} />;
  return (
    <VerificationDialog
      purpose="create"
      about={about}
      initial={initial}
      sending={false}
      onCancel={onClose}
      onComplete={onComplete}
    />
  );
}
