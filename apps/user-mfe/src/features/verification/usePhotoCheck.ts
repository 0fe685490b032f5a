import { call } from '@karaar/api-client';
import { visionRoutes } from '@karaar/contracts/vision/http';
import type { PhotoOrigin } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { checkAgain, checkAgainMs } from './check-again.ts';
import { useLiveBinding, type CaptureAbout } from './useLiveBinding.ts';
import { detectType, type PhotoPart } from './verification.ts';

/** A photo that the server looks at. */
type Look = { image: File; origin: PhotoOrigin; signal: AbortSignal };

/**
 * Has the server look at a photo, binds a good one of the camera to its purpose and hands it over: once, however often it is
 * submitted, and only while the part is shown. Who closes the camera wants nothing taken any more.
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
    // The button learns a moment later that it is busy.
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
