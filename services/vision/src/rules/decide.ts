import type { Evidence } from './evidence.ts';
import { LID_POINTS, eyeShape, type EyeShape } from './eye.ts';
import {
  boundsOf,
  heightOf,
  isInside,
  widthOf,
  type Point,
  type Rect,
  type Size,
} from '@karaar/faces/geometry';
import { openEyeScore } from './open-eye.ts';
import { isDark, qualityFault, type Quality } from './quality.ts';
import type { Place, Reason, Verdict } from './verdict.ts';

/** A face that the landmark model confirmed, in pixels of the picture (at most 1280 on its long side). */
export interface FaceObservation {
  box: Rect;
  score: number;
  /** Right eye, left eye (of the person), nose, mouth, right ear, left ear. */
  keypoints: readonly Point[];
  /** Contours of both eyes, 71 points each; empty if they were not requested. */
  eyes: readonly (readonly Point[])[];
  /** For each eye, how much darker the iris is than the area next to it between the lids, at most 1. */
  whites: readonly number[];
  quality: Quality;
}

/** Minimum logit of the landmark model's presence output for a face. */
export const MIN_PRESENCE = 7;
/** A narrower face shows too little to recognise a person. */
const MIN_FACE_WIDTH = 36;
/** A face narrower than this share of the largest one is in the background and does not count. */
const BYSTANDER = 0.55;
/** Minimum share of a face's box that is on the picture. */
const MIN_ON_PICTURE = 0.65;
/** If the crop was enlarged from fewer pixels, sharpness is not measured. */
const MIN_WIDTH_FOR_SHARPNESS = 100;
/**
 * Minimum height over width of the better eye: closed eyes measure at most 0.10, the lowest open ones 0.17.
 */
const MIN_OPEN_ASPECT = 0.14;
/**
 * The landmark model sometimes draws one closed eye as open, but rarely both. So the mean of the two eyes must be
 * large enough too, unless one eye is wide open (a wink).
 */
const MIN_MEAN_ASPECT = 0.14;
const WIDE_OPEN_ASPECT = 0.2;
/**
 * Lids in deep shade or with make-up are drawn open too, but show no white. Openness plus half the white is
 * at least 0.37 for open eyes, and mostly below 0.27 for open-drawn lids (docs/vision.md).
 */
const MIN_OPEN_AND_WHITE = 0.3;
/** Below this width the contour is unreliable. */
const MIN_EYE_WIDTH = 12;
/** Minimum distance of an eye from the picture's edge, in shares of the eye's width. */
const FREE_OF_EDGE = 0.06;
/** Evidence whose corners spread less than this is an eye, open or closed. */
const EYE_CORNER_SPREAD = 0.16;

/** Accepts exactly one whole face, large enough, well lit and sharp. */
export function judgeFaces(picture: Size, observed: readonly FaceObservation[]): Verdict {
  const inFrame = observed
    .filter((face) => isInFrame(face, picture))
    .sort((a, b) => widthOf(b.box) - widthOf(a.box));
  const [largest] = inFrame;
  if (!largest) return refuse('no_face', []);
  const faces = inFrame.filter(({ box }) => widthOf(box) >= BYSTANDER * widthOf(largest.box));
  const boxes = faces.map((face) => placeOf(face.box, face.score, face.keypoints, picture));
  if (faces.length > 1) return refuse('multiple_faces', boxes);
  if (widthOf(largest.box) < MIN_FACE_WIDTH) return refuse('too_small', boxes);
  const fault = faultOf(largest);
  return fault ? refuse(fault, boxes) : { ok: true, boxes };
}

function areOpen(eyes: readonly { aspect: number; white: number }[]): boolean {
  if (!eyes.some(({ aspect, white }) => aspect + white / 2 >= MIN_OPEN_AND_WHITE)) return false;
  const aspects = eyes.map(({ aspect }) => aspect);
  const best = Math.max(...aspects);
  const mean = aspects.reduce((sum, aspect) => sum + aspect, 0) / aspects.length;
  return best >= WIDE_OPEN_ASPECT || (best >= MIN_OPEN_ASPECT && mean >= MIN_MEAN_ASPECT);
}

export type FaceEyes = Verdict & {
  /** True if a close-up pass may still find an open eye. */
  undecided: boolean;
};

/**
 * Accepts at least one open eye on the largest face. One eye is enough and the face may be cut off, because
 * the camera is held close for this photo. On a cut-off face the contours are less reliable.
 */
export function judgeEyes(picture: Size, observed: readonly FaceObservation[]): FaceEyes {
  const [face] = [...observed].sort((a, b) => widthOf(b.box) - widthOf(a.box));
  const eyes = (face?.eyes ?? [])
    .map((contour, i) => ({ contour, white: face?.whites[i] ?? 0 }))
    .filter(({ contour }) => isWhole(contour, picture))
    .map(({ contour, white }) => ({ ...describe(contour), white }));
  if (!face || eyes.length === 0) return { ...refuse('no_eye', []), undecided: true };
  const boxes = eyes.map(({ box, lids }) => placeOf(box, face.score, lids, picture));
  const judged = eyes.filter(({ width }) => width >= MIN_EYE_WIDTH);
  if (judged.length === 0) return { ...refuse('too_small', boxes), undecided: false };
  const fault = faultOf(face);
  if (fault) return { ...refuse(fault, boxes), undecided: false };
  if (areOpen(judged)) return { ok: true, boxes, undecided: false };
  return { ...refuse('eyes_closed', boxes), undecided: !isInFrame(face, picture) };
}

/**
 * Accepts an open eye on a picture without a face.
 * @param evidence the most eye-like place first
 * @param light of the whole picture, which explains why nothing was found
 */
export function judgeCloseup(
  picture: Size,
  evidence: readonly Evidence[],
  light: Pick<Quality, 'mean'>,
): Verdict {
  const [best] = evidence;
  if (!best) return refuse(darkOr('no_eye', light), []);
  const score = 1 / (1 + Math.exp(-openEyeScore(best)));
  const boxes = [placeOf(best.box, score, best.lids, picture)];
  if (openEyeScore(best) > 0) return { ok: true, boxes };
  if (best.cornerSpread < EYE_CORNER_SPREAD && best.openness < 0.2) return refuse('eyes_closed', boxes);
  return refuse(darkOr('no_eye', light), []);
}

/** Returns `too_dark` for a dark picture, because that explains why nothing was found. */
export function darkOr(reason: Reason, light: Pick<Quality, 'mean'>): Reason {
  return isDark(light) ? 'too_dark' : reason;
}

function faultOf({ box, quality }: FaceObservation): Reason | undefined {
  const fault = qualityFault(quality);
  return fault === 'blurred' && widthOf(box) < MIN_WIDTH_FOR_SHARPNESS ? undefined : fault;
}

function describe(contour: readonly Point[]): EyeShape & { box: Rect; lids: Point[] } {
  const lids = contour.slice(0, LID_POINTS);
  return { ...eyeShape(contour), box: boundsOf(lids), lids };
}

function isInFrame({ box, keypoints }: FaceObservation, picture: Size): boolean {
  const [right, left] = keypoints;
  if (!right || !left || !isInside(right, picture) || !isInside(left, picture)) return false;
  const width = Math.min(box.right, picture.width) - Math.max(box.left, 0);
  const height = Math.min(box.bottom, picture.height) - Math.max(box.top, 0);
  return width * height >= MIN_ON_PICTURE * widthOf(box) * heightOf(box);
}

/**
 * Returns true if the whole eye is on the picture: the model places the lids of a cut-off eye along the
 * picture's edge.
 */
function isWhole(contour: readonly Point[], picture: Size): boolean {
  const { left, top, right, bottom } = boundsOf(contour.slice(0, LID_POINTS));
  const beyond = FREE_OF_EDGE * eyeShape(contour).width;
  const corners = [
    { x: left - beyond, y: top - beyond },
    { x: right + beyond, y: bottom + beyond },
  ];
  return corners.every((corner) => isInside(corner, picture));
}

function placeOf(box: Rect, score: number, landmarks: readonly Point[], picture: Size): Place {
  const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));
  const [left, right] = [clamp(box.left, picture.width), clamp(box.right, picture.width)];
  const [top, bottom] = [clamp(box.top, picture.height), clamp(box.bottom, picture.height)];
  return {
    x: left / picture.width,
    y: top / picture.height,
    width: (right - left) / picture.width,
    height: (bottom - top) / picture.height,
    score,
    landmarks: landmarks.map(({ x, y }) => ({
      x: clamp(x, picture.width) / picture.width,
      y: clamp(y, picture.height) / picture.height,
    })),
  };
}

function refuse(reason: Reason, boxes: Place[]): Verdict {
  return { ok: false, reason, boxes };
}
