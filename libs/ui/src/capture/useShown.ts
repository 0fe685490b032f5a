import { useEffect, useEffectEvent, useState } from 'react';
import type { PhotoOrigin } from './photo.ts';

/** Milliseconds in which a new photo cannot be submitted: the second half of a double click on Capture is not meant for it. */
const LOOK_MS = 400;
/** Milliseconds of a look at a photo that is then submitted by itself: time enough to press Retake. */
const LOOK_BY_ITSELF_MS = 1_200;

/** The photo that is looked at. */
export type Shown = { file: File; url: string; origin: PhotoOrigin; byItself: boolean };

/** The photo that is looked at, and whether it has been there long enough to be submitted by a press. */
export function useShown() {
  const [photo, setPhoto] = useState<Shown | null>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    setSeen(false);
    if (!photo) return;
    const timer = setTimeout(() => setSeen(true), LOOK_MS);
    return () => {
      clearTimeout(timer);
      URL.revokeObjectURL(photo.url);
    };
  }, [photo]);
  return {
    photo,
    seen,
    show: (file: File, origin: PhotoOrigin, byItself = false) =>
      setPhoto({ file, url: URL.createObjectURL(file), origin, byItself }),
    drop: () => setPhoto(null),
  };
}

/** Submits a photo that was taken by itself, after a look at it. */
export function useSubmitByItself(photo: Shown | null, onSubmit: () => void): void {
  const submit = useEffectEvent(onSubmit);
  useEffect(() => {
    if (!photo?.byItself) return;
    const timer = setTimeout(submit, LOOK_BY_ITSELF_MS);
    return () => clearTimeout(timer);
  }, [photo]);
}
