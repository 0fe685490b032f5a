import { useEffect, useState, type RefObject } from 'react';
import { adviceFor, type Advice, type Outline } from './frame.ts';
import { openWatcher } from './watcher.ts';

/** Milliseconds between two analyses, if the device is fast enough. */
const EVERY_MS = 250;
/** The number of consecutive analyses without advice for a steady picture. */
const STEADY_LOOKS = 4;

export type Guidance = {
  advice: Advice | null;
  steady: boolean;
  /** Steady, and looked at by the detector: the photo may be taken automatically. */
  sure: boolean;
};

/**
 * Returns advice to the user from light, sharpness and movement of the picture, and from the place of the face
 * or the eyes in the outline. Computed in a worker; no data leaves the device.
 */
export function useGuidance(
  video: RefObject<HTMLVideoElement | null>,
  active: boolean,
  outline: Outline,
): Guidance {
  const [guidance, setGuidance] = useState<Guidance>({ advice: null, steady: false, sure: false });
  useEffect(() => {
    setGuidance({ advice: null, steady: false, sure: false });
    if (!active) return;
    const watcher = openWatcher();
    let good = 0;
    let busy = false;
    let left = false;
    const look = async () => {
      const element = video.current;
      if (busy || !element || element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      busy = true;
      const { measure, faces: found } = await watcher.look(element);
      busy = false;
      if (left) return;
      const advice = adviceFor(measure, found, outline);
      good = advice === null && measure.movement !== undefined ? good + 1 : 0;
      const steady = good >= STEADY_LOOKS;
      const sure = steady && found !== null;
      setGuidance((now) =>
        now.advice === advice && now.steady === steady && now.sure === sure ? now : { advice, steady, sure },
      );
    };
    const timer = setInterval(() => {
      // If no analysis works, the camera still takes photos, without advice.
      look().catch(() => clearInterval(timer));
    }, EVERY_MS);
    return () => {
      left = true;
      clearInterval(timer);
      watcher.close();
    };
  }, [video, active, outline]);
  return guidance;
}
