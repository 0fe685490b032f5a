import { useTexts } from '@karaar/i18n';
import { CameraCapture, Skeleton } from '@karaar/ui';
import { Suspense } from 'react';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import { usePhotoCheck } from './usePhotoCheck.ts';
import { notFoundText, photoFileName, reasonHint, type PhotoPart } from './verification.ts';

type PhotoCaptureProps = {
  part: PhotoPart;
  quality: number;
  /** What the photo is for. */
  about: CaptureAbout;
  onTaken: (photo: File) => void;
};

/** Takes one photo and has the server look at it; only a photo in which it finds what it should is taken. */
export function PhotoCapture({ part, quality, about, onTaken }: PhotoCaptureProps) {
  const t = useTexts(verificationTexts);
  const { submit, checking, failed, answer, forget } = usePhotoCheck(part, about, onTaken);
  const refused = answer?.ok === false ? answer : null;
  return (
    <Suspense fallback={<Skeleton height={300} />}>
      <CameraCapture
        instruction={part === 'profile_pic' ? t('profileInstruction') : t('eyeInstruction')}
        guide={part === 'profile_pic' ? 'face' : 'eye'}
        fileName={photoFileName(part)}
        quality={quality}
        checking={checking}
        fault={failed ? t('validationFailed') : refused && t(notFoundText(part))}
        unchecked={failed}
        hint={refused && reasonHint(refused.reason)}
        onSubmit={submit}
        onRetake={forget}
      />
    </Suspense>
  );
}
