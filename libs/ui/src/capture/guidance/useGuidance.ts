import { useEffect, useState, type RefObject } from 'react';
import { adviceFor, lumaOf, measureFrame, type Advice, type FaceBox } from './frame.ts';

/** How often the view is looked at, in milliseconds: about a millisecond of work each. */
const EVERY_MS = 250;
/** The view must need no advice for so many looks in a row to be steady. */
const STEADY_LOOKS = 4;
const WIDTH = 96;

export type Guidance = { advice: Advice | null; steady: boolean };

/** The browser's own face detector (Shape Detection API), where it has one. */
type NativeDetector = {
  detect: (source: HTMLVideoElement) => Promise<readonly { boundingBox: DOMRectReadOnly }[]>;
};
type WithDetector = { FaceDetector?: new (options: { fastMode: boolean }) => NativeDetector };

/**
 * What to tell the person in front of the camera, from light, sharpness and movement of its picture, and from
 * where the face is in browsers that can find one. Nothing leaves the device.
 * @param faces whether a whole face is expected (not so for a close-up of an eye)
 */
export function useGuidance(
  video: RefObject<HTMLVideoElement | null>,
  active: boolean,
  faces: boolean,
): Guidance {
  const [guidance, setGuidance] = useState<Guidance>({ advice: null, steady: false });
  useEffect(() => {
    setGuidance({ advice: null, steady: false });
    if (!active) return;
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    let detector = faces ? createDetector() : null;
    let before: Float32Array | null = null;
    let good = 0;
    let busy = false;
    const look = async () => {
      const element = video.current;
      if (busy || !context || !element || element.videoWidth === 0) return;
      busy = true;
      canvas.width = WIDTH;
      canvas.height = Math.max(16, Math.round((WIDTH * element.videoHeight) / element.videoWidth));
      context.drawImage(element, 0, 0, canvas.width, canvas.height);
      const luma = lumaOf(context.getImageData(0, 0, canvas.width, canvas.height).data);
      const same = before?.length === luma.length ? before : null;
      const measure = measureFrame(luma, WIDTH, same);
      before = luma;
      let found: FaceBox[] | null = null;
      if (detector) {
        try {
          found = (await detector.detect(element)).map(({ boundingBox }) => shareOf(boundingBox, element));
        } catch {
          // Some browsers have the interface but no detector behind it: light and sharpness alone then.
          detector = null;
        }
      }
      busy = false;
      const advice = adviceFor(measure, found);
      good = advice === null && same !== null ? good + 1 : 0;
      const steady = good >= STEADY_LOOKS;
      setGuidance((now) => (now.advice === advice && now.steady === steady ? now : { advice, steady }));
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [video, active, faces]);
  return guidance;
}

function createDetector(): NativeDetector | null {
  const Detector = (globalThis as WithDetector).FaceDetector;
  return Detector ? new Detector({ fastMode: true }) : null;
}

function shareOf(box: DOMRectReadOnly, video: HTMLVideoElement): FaceBox {
  return {
    x: box.x / video.videoWidth,
    y: box.y / video.videoHeight,
    width: box.width / video.videoWidth,
    height: box.height / video.videoHeight,
  };
}
