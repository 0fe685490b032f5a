import { call } from '@karaar/api-client';
import { visionRoutes } from '@karaar/contracts/vision/http';
import { useTexts } from '@karaar/i18n';
import { CameraCapture, Skeleton } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { verificationTexts } from './texts.ts';
import { useLiveBinding, type CaptureAbout } from './useLiveBinding.ts';
import { detectType, notFoundText, photoFileName, type PhotoPart } from './verification.ts';

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
  const bind = useLiveBinding(part, about);
  const check = useMutation({
    mutationFn: async (image: File) => {
      const answer = await call(visionRoutes.validate, {
        fields: { detect_type: detectType(part) },
        files: { image },
      });
      // Only a photo that is taken uses up the nonce.
      if (answer.ok) await bind(image);
      return { ok: answer.ok, image };
    },
    onSuccess: ({ ok, image }) => {
      if (ok) onTaken(image);
    },
  });
  const refused = check.data?.ok === false ? t(notFoundText(part)) : null;
  return (
    <Suspense fallback={<Skeleton height={300} />}>
      <CameraCapture
        key={part}
        instruction={part === 'profile_pic' ? t('profileInstruction') : t('eyeInstruction')}
        guide={part === 'profile_pic' ? 'face' : 'eye'}
        fileName={photoFileName(part)}
        quality={quality}
        checking={check.isPending}
        fault={check.isError ? t('validationFailed') : refused}
        onSubmit={(photo) => check.mutate(photo)}
        onRetake={() => check.reset()}
      />
    </Suspense>
  );
}
