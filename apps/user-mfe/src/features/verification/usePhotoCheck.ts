import { call } from '@karaar/api-client';
import { visionRoutes } from '@karaar/contracts/vision/http';
import type { PhotoOrigin } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { checkAgain, checkAgainMs } from './check-again.ts';
import { useLiveBinding, type CaptureAbout } from './useLiveBinding.ts';
import { detectType, type PhotoPart } from './verification.ts';

/** A photo for the server to check. */
type Look = { image: File; origin: PhotoOrigin; signal: AbortSignal };

/**
 * Has the server check a photo, binds an accepted camera photo to its purpose and passes it on: once, however
 * often it is submitted, and only while the part is shown.
 */
export function usePhotoCheck(
  part: PhotoPart,
  about: CaptureAbout,
  onTaken: (photo: File, origin: PhotoOrigin) => void,
) {
  const bind = useLiveBinding(part, about);
  const running = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = null;
    },
    [part],
  );
  const check = useMutation({
    mutationFn: async ({ image, origin, signal }: Look) => {
      const fields = { detect_type: detectType(part) };
      const answer = await call(visionRoutes.validate, { fields, files: { image } }, { signal });
      // Only a photo from the camera uses up the nonce; a photo chosen from the device was not taken live.
      if (answer.ok && origin === 'camera') await bind(image);
      return answer;
    },
    retry: checkAgain,
    retryDelay: checkAgainMs,
  });
  const submit = (image: File, origin: PhotoOrigin) => {
    // The busy state renders later; this prevents a second run.
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    check.mutate(
      { image, origin, signal: stop.signal },
      {
        onSuccess: ({ ok }) => ok && onTaken(image, origin),
        onSettled: () => {
          if (running.current === stop) running.current = null;
        },
      },
    );
  };
  return {
    submit,
    checking: check.isPending,
    failed: check.isError,
    answer: check.data,
    forget: check.reset,
  };
}
