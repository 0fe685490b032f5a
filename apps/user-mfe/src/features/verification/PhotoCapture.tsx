import { CAPTURE_MAX_BYTES } from '@karaar/contracts/limits';
import { screen, useTexts } from '@karaar/i18n';
import { CameraCapture, Skeleton, type PhotoOrigin } from '@karaar/ui';
import { Suspense } from 'react';
import { phonePath } from './phone-path.ts';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import { usePhotoCheck } from './usePhotoCheck.ts';
import {
  notFoundText,
  photoFileName,
  photoQuality,
  reasonHint,
  takesUploads,
  type PhotoPart,
  type Purpose,
} from './verification.ts';

/** Only needed without a camera. */
const ContinueOnPhone = screen(() => import('./ContinueOnPhone.tsx'), [verificationTexts]);

/** Only a phone can be held. */
const instructionOf = (part: PhotoPart) => {
  if (part === 'eye') return 'eyeInstruction';
  return matchMedia('(pointer: coarse)').matches ? 'profileInstruction' : 'profileInstructionComputer';
};

type PhotoCaptureProps = {
  part: PhotoPart;
  purpose: Purpose;
  about: CaptureAbout;
  onTaken: (photo: File, origin: PhotoOrigin) => void;
};

/** Takes one photo and has the server check it; only a photo that passes is accepted. */
export function PhotoCapture({ part, purpose, about, onTaken }: PhotoCaptureProps) {
  const t = useTexts(verificationTexts);
  const { submit, checking, failed, answer, forget } = usePhotoCheck(part, about, onTaken);
  const path = phonePath(purpose, about);
  const refused = answer?.ok === false ? answer : null;
  return (
    <Suspense fallback={<Skeleton height={300} />}>
      <CameraCapture
        instruction={t(instructionOf(part))}
        guide={part === 'profile_pic' ? 'face' : 'eye'}
        fileName={photoFileName(part)}
        quality={photoQuality(purpose)}
        automatic
        checking={checking}
        fault={failed ? t('validationFailed') : refused && t(notFoundText(part))}
        unchecked={failed}
        hint={refused && reasonHint(refused.reason)}
        {...(takesUploads(purpose) ? { upload: { maxBytes: CAPTURE_MAX_BYTES } } : {})}
        elsewhere={
          path && (
            <Suspense>
              <ContinueOnPhone path={path} />
            </Suspense>
          )
        }
        onSubmit={submit}
        onRetake={forget}
      />
    </Suspense>
  );
}
