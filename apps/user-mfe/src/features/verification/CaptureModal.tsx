import { useTexts } from '@karaar/i18n';
import { Modal, type PhotoOrigin } from '@karaar/ui';
import { useBackCloses } from '../../shared/useBackCloses.ts';
import { CaptureProgress } from './CaptureProgress.tsx';
import { PhotoCapture } from './PhotoCapture.tsx';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import type { PhotoPart } from './verification.ts';

type CaptureModalProps = {
  part: PhotoPart;
  about: CaptureAbout;
  onTaken: (photo: File, origin: PhotoOrigin) => void;
  onClose: () => void;
};

/** Takes one photo of a creator, before the dialog in which they sign. */
export function CaptureModal({ part, about, onTaken, onClose }: CaptureModalProps) {
  const t = useTexts(verificationTexts);
  useBackCloses(() => {
    onClose();
    return false;
  });
  return (
    <Modal
      title={part === 'profile_pic' ? t('captureProfile') : t('captureEye')}
      opened
      onClose={onClose}
      width={680}
      dismissible="escape"
      full
    >
      <CaptureProgress purpose="create" at={part} />
      <PhotoCapture part={part} purpose="create" about={about} onTaken={onTaken} />
    </Modal>
  );
}
