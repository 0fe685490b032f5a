import { call } from '@karaar/api-client';
import { visionRoutes } from '@karaar/contracts/vision/http';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { checkAgain, checkAgainMs } from './check-again.ts';
import { useLiveBinding, type CaptureAbout } from './useLiveBinding.ts';
import { detectType, type PhotoPart } from './verification.ts';

/**
 * Has the server look at a photo, binds one that is good to its purpose and hands it over: once, however often it is
 * submitted, and only while the part is shown. Who closes the camera wants nothing taken any more.
 */
export function usePhotoCheck(part: PhotoPart, about: CaptureAbout, onTaken: (photo: File) => void) {
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
    mutationFn: async ({ image, signal }: { image: File; signal: AbortSignal }) => {
      const fields = { detect_type: detectType(part) };
      const answer = await call(visionRoutes.validate, { fields, files: { image } }, { signal });
      // Only a photo that is taken uses up the nonce.
      if (answer.ok) await bind(image);
      return answer;
    },
    retry: checkAgain,
    retryDelay: checkAgainMs,
  });
  const submit = (image: File) => {
    // The button learns a moment later that it is busy.
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    check.mutate(
      { image, signal: stop.signal },
      {
        onSuccess: ({ ok }) => ok && onTaken(image),
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
