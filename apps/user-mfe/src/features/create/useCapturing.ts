import type { PhotoOrigin } from '@karaar/ui';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  nextPhoto,
  withPhoto,
  type CompleteVerification,
  type PhotoPart,
} from '../verification/verification.ts';
import type { useEntered } from './form/useEntered.ts';
import type { Step } from './steps/steps.ts';

type Capturing = {
  entered: ReturnType<typeof useEntered>;
  step: Step;
  /** Saves the form before the camera opens. */
  settle: () => Promise<void>;
  /** True if only photos and signature are missing. */
  isFilled: boolean;
  onComplete: (verification: CompleteVerification) => void;
};

/** The camera, and after both photos the signature. */
export function useCapturing({ entered, step, settle, isFilled, onComplete }: Capturing) {
  const [part, setPart] = useState<PhotoPart | null>(null);
  const [isSigning, setSigning] = useState(false);
  const opensOnArrival = useRef(false);
  const { photos } = entered;
  const capture = (next: PhotoPart) => void settle().then(() => setPart(next));
  const openNext = () => {
    const photo = nextPhoto(photos);
    if (photo) capture(photo);
    else setSigning(true);
  };
  const arrive = useEffectEvent(() => {
    if (step !== 'sign' || !opensOnArrival.current) return;
    opensOnArrival.current = false;
    openNext();
  });
  useEffect(() => arrive(), [step]);
  return {
    capture,
    openNext,
    /** Opens the camera once the last step is shown. */
    openOnArrival: () => {
      opensOnArrival.current = true;
    },
    /** The open dialog; null without one. */
    dialog:
      part || isSigning
        ? {
            part,
            initial: photos,
            onTaken: (photo: File, origin: PhotoOrigin) => {
              if (!part) return;
              const next = withPhoto(photos, part, photo, origin);
              entered.change({ photos: next });
              setPart(nextPhoto(next));
              if (!nextPhoto(next) && isFilled) setSigning(true);
            },
            onClose: () => (part ? setPart(null) : setSigning(false)),
            onComplete: (verification: CompleteVerification) => {
              entered.change({ photos: verification });
              setSigning(false);
              onComplete(verification);
            },
          }
        : null,
  };
}
