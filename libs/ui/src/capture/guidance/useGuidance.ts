import { useEffect, useState, type RefObject } from 'react';
import { adviceFor, type Advice } from './frame.ts';
import { openWatcher } from './watcher.ts';

/** Milliseconds between two analyses, if the device is fast enough. */
const EVERY_MS = 250;
/** The number of consecutive analyses without advice for a steady picture. */
const STEADY_LOOKS = 4;

export type Guidance = {
  advice: Advice | null;
  steady: boolean;
  /** Steady, with the expected face found: the photo may be taken automatically. */
  sure: boolean;
};

/**
 * Returns advice to the user from light, sharpness and movement of the picture, and from the position of the
 * face. Computed in a worker; no data leaves the device.
 * @param faces true if a whole face is expected (false for a close-up of an eye)
 */
export function useGuidance(
  video: RefObject<HTMLVideoElement | null>,
  active: boolean,
  faces: boolean,
): Guidance {
  const [guidance, setGuidance] = useState<Guidance>({ advice: null, steady: false, sure: false });
  useEffect(() => {
    setGuidance({ advice: null, steady: false, sure: false });
    if (!active) return;
    const watcher = openWatcher(faces);
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
      const advice = adviceFor(measure, found);
      good = advice === null && measure.movement !== undefined ? good + 1 : 0;
      const steady = good >= STEADY_LOOKS;
      const sure = steady && (!faces || found !== null);
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
  }, [video, active, faces]);
  return guidance;
}
