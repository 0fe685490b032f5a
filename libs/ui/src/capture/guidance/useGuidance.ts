import { useEffect, useState, type RefObject } from 'react';
import { adviceFor, type Advice } from './frame.ts';
import { openWatcher } from './watcher.ts';

/** How often the view is looked at, in milliseconds, where the device is quick enough. */
const EVERY_MS = 250;
/** The view must need no advice for so many looks in a row to be steady. */
const STEADY_LOOKS = 4;

export type Guidance = {
  advice: Advice | null;
  steady: boolean;
  /** Steady, and what is expected was looked for and found: reason enough to take the photo without a press. */
  sure: boolean;
};

/**
 * What to tell the person in front of the camera, from light, sharpness and movement of its picture, and from where the
 * face is. Found out in a worker; nothing leaves the device.
 * @param faces whether a whole face is expected (not so for a close-up of an eye)
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
      // Where no way of looking works, the camera takes photos anyway and says nothing.
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
