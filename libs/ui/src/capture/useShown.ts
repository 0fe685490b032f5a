import { useEffect, useEffectEvent, useState } from 'react';
import type { PhotoOrigin } from './photo.ts';

/**
 * Milliseconds in which a new photo cannot be submitted: the second press of a double click on Capture must
 * not submit it.
 */
const LOOK_MS = 400;
/** Milliseconds of preview before an automatic submission: enough to press Retake. */
const LOOK_BY_ITSELF_MS = 1_200;

/** The previewed photo. */
export type Shown = { file: File; url: string; origin: PhotoOrigin; byItself: boolean };

/** Returns the previewed photo, and whether a press may submit it already. */
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

/** Submits an automatic photo after its preview. */
export function useSubmitByItself(photo: Shown | null, onSubmit: () => void): void {
  const submit = useEffectEvent(onSubmit);
  useEffect(() => {
    if (!photo?.byItself) return;
    const timer = setTimeout(submit, LOOK_BY_ITSELF_MS);
    return () => clearTimeout(timer);
  }, [photo]);
}
