/** Analyses a reduced frame: light, sharpness, movement and, if possible, faces. */
import type { Detection } from '@karaar/faces/detection';
import { lumaOf, measureFrame, type FaceBox, type FrameMeasure } from './frame.ts';

/** The longer side of a reduced frame in pixels: the input size of the face detector. */
export const FRAME_SIDE = 128;
/** Below this score a detection is unreliable, and must not block the photo. */
const MIN_SCORE = 0.6;
/** A face narrower than this fraction of the largest one is in the background (the server's limit). */
const BYSTANDER = 0.55;
/** The aspect of the part of the picture that the page shows (capture.module.css). */
const SHOWN = 4 / 3;

export type Seen = {
  measure: FrameMeasure;
  /** Null without a detector: then there is no advice about faces. */
  faces: FaceBox[] | null;
};

/** Detects faces in a 128 × 128 picture with the frame in its upper left corner and black elsewhere. */
export type Detect = (square: Uint8ClampedArray) => readonly Detection[];

export type FrameSize = { width: number; height: number };

/** Returns the size of a video's reduced frame. */
export function reducedSize({ videoWidth, videoHeight }: HTMLVideoElement): FrameSize {
  const scale = FRAME_SIDE / Math.max(videoWidth, videoHeight);
  return {
    width: Math.max(16, Math.round(videoWidth * scale)),
    height: Math.max(16, Math.round(videoHeight * scale)),
  };
}

/** Returns a function that analyses consecutive frames and remembers the previous one. */
export function createLook(): (square: Uint8ClampedArray, size: FrameSize, detect: Detect | null) => Seen {
  let before: { luma: Float32Array; size: FrameSize } | null = null;
  return (square, size, detect) => {
    const luma = lumaOf(frameOf(square, size));
    // A rotated phone has the same number of pixels in another layout.
    const same = before?.size.width === size.width && before.size.height === size.height;
    const measure = measureFrame(luma, size.width, same ? (before?.luma ?? null) : null);
    before = { luma, size };
    return { measure, faces: detect && facesOf(detect(square), size) };
  };
}

/** Returns the faces in the foreground, as fractions of the frame. */
function facesOf(found: readonly Detection[], { width, height }: FrameSize): FaceBox[] {
  const sure = found.filter(({ score }) => score >= MIN_SCORE);
  const widest = Math.max(...sure.map(({ box: { left, right } }) => right - left));
  const [shownWidth, shownHeight] = [Math.min(width, height * SHOWN), Math.min(height, width / SHOWN)];
  const shown = (point: { x: number; y: number } | undefined) => ({
    x: 0.5 + ((point?.x ?? 0) - width / 2) / shownWidth,
    y: 0.5 + ((point?.y ?? 0) - height / 2) / shownHeight,
  });
  return sure
    .filter(({ box: { left, right } }) => right - left >= BYSTANDER * widest)
    .map(({ box: { left, top, right, bottom }, keypoints: [rightEye, leftEye] }) => ({
      x: left / width,
      y: top / height,
      width: (right - left) / width,
      height: (bottom - top) / height,
      eyes: [shown(rightEye), shown(leftEye)],
    }));
}

/** Returns the frame's pixels without the rest of the square. */
function frameOf(square: Uint8ClampedArray, { width, height }: FrameSize): Uint8ClampedArray {
  const out = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = row * FRAME_SIDE * 4;
    out.set(square.subarray(from, from + width * 4), row * width * 4);
  }
  return out;
}
