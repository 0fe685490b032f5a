/** The two decisions: is this a usable photo of one face, and does this photo show an open eye. */
import { LID_POINTS, eyeShape, type EyeShape } from './eye.ts';
import { boundsOf, heightOf, isInside, widthOf, type Point, type Rect, type Size } from './geometry.ts';
import { qualityFault, type Quality } from './quality.ts';
import type { Place, Reason, Verdict } from './verdict.ts';

/** One face that the landmark model confirmed, in pixels of the picture (at most 1280 on its long side). */
export interface FaceObservation {
  box: Rect;
  /** Confidence of the detector, 0 to 1. */
  score: number;
  /** Contours of both eyes, 71 points each. */
  eyes: readonly (readonly Point[])[];
  quality: Quality;
}

/** Logit of the landmark model's presence output from which on a detection counts as a face. */
export const MIN_PRESENCE = 7;
/** A face narrower than this shows too little to recognise a person by. */
const MIN_FACE_WIDTH = 100;
/** A box may reach beyond the picture by this share of itself. */
const MAX_OUTSIDE = 0.1;
/** Closed eyes measure at most 0.10, the lowest open ones 0.17. */
const MIN_OPEN_ASPECT = 0.14;
/** Below this width the contour is guesswork. */
const MIN_EYE_WIDTH = 16;

/** Exactly one whole face, big enough, well lit and sharp. */
export function judgeFaces(picture: Size, observed: readonly FaceObservation[]): Verdict {
  const faces = observed.filter((face) => isInFrame(face, picture));
  const boxes = faces.map((face) => placeOf(face.box, face.score, picture));
  const [face, ...others] = faces;
  if (!face) return refuse('no_face', []);
  if (others.length > 0) return refuse('multiple_faces', boxes);
  if (widthOf(face.box) < MIN_FACE_WIDTH) return refuse('too_small', boxes);
  const fault = qualityFault(face.quality);
  return fault ? refuse(fault, boxes) : { ok: true, boxes };
}

/**
 * At least one open eye on the largest face. One eye is enough and the face may be cut off, since the
 * camera is held close for this photo.
 */
export function judgeEyes(picture: Size, observed: readonly FaceObservation[]): Verdict {
  const [face] = [...observed].sort((a, b) => widthOf(b.box) - widthOf(a.box));
  const eyes = (face?.eyes ?? []).filter((contour) => isWhole(contour, picture)).map(describe);
  if (!face || eyes.length === 0) return refuse('no_eye', []);
  const boxes = eyes.map(({ box }) => placeOf(box, face.score, picture));
  const judged = eyes.filter(({ width }) => width >= MIN_EYE_WIDTH);
  if (judged.length === 0) return refuse('too_small', boxes);
  const fault = qualityFault(face.quality);
  if (fault) return refuse(fault, boxes);
  const open = judged.some(({ aspect }) => aspect >= MIN_OPEN_ASPECT);
  return open ? { ok: true, boxes } : refuse('eyes_closed', boxes);
}

function describe(contour: readonly Point[]): EyeShape & { box: Rect } {
  return { ...eyeShape(contour), box: boundsOf(contour.slice(0, LID_POINTS)) };
}

/** A whole face: both eyes on the picture and the box, but for a little, too. */
function isInFrame({ box, eyes }: FaceObservation, picture: Size): boolean {
  const [spareX, spareY] = [widthOf(box) * MAX_OUTSIDE, heightOf(box) * MAX_OUTSIDE];
  return (
    box.left > -spareX &&
    box.top > -spareY &&
    box.right < picture.width + spareX &&
    box.bottom < picture.height + spareY &&
    eyes.every((contour) => isWhole(contour, picture))
  );
}

function isWhole(contour: readonly Point[], picture: Size): boolean {
  return contour.slice(0, LID_POINTS).every((point) => isInside(point, picture));
}

function placeOf(box: Rect, score: number, picture: Size): Place {
  const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));
  const [left, right] = [clamp(box.left, picture.width), clamp(box.right, picture.width)];
  const [top, bottom] = [clamp(box.top, picture.height), clamp(box.bottom, picture.height)];
  return {
    x: left / picture.width,
    y: top / picture.height,
    width: (right - left) / picture.width,
    height: (bottom - top) / picture.height,
    score,
  };
}

function refuse(reason: Reason, boxes: Place[]): Verdict {
  return { ok: false, reason, boxes };
}
