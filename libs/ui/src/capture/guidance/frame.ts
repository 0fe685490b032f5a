/** Measures light, sharpness and movement of a reduced camera frame. Pure. */

/** Measured on a reduced frame; lumas are 0 to 255. */
export type FrameMeasure = {
  light: number;
  /** The overexposed share of the middle, 0 to 1. */
  glare: number;
  /** Variance of the Laplacian over the variance of the luma: high for crisp edges. */
  sharpness: number;
  /** Mean change of luma since the previous frame; absent for the first one. */
  movement?: number;
};

/** Advice to the user; also the key of its text. */
export type Advice =
  'moreLight' | 'lessLight' | 'holdStill' | 'onePerson' | 'closer' | 'centre' | 'centreEyes';

/** The outline that the picture must fill. */
export type Outline = 'face' | 'eye';

/** A hint for a better photo after a refusal. */
export type CaptureHint = Advice | 'openEyes';

type Place = { x: number; y: number };

/** The box of a face as fractions of the frame, and its eyes as fractions of the part that is shown. */
export type FaceBox = Place & { width: number; height: number; eyes: [Place, Place] };

/** Stricter than the server's limits (30 and 230), so that accepted light passes there. */
const DARK = 45;
const BRIGHT = 215;
const MAX_GLARE = 0.35;
const BLURRED = 0.004;
const MOVED = 9;
/** The minimum height of a face as a fraction of the frame, and its maximum distance from the middle. */
const SMALL_FACE = 0.25;
const OFF_CENTRE = 0.2;
/**
 * The minimum distance between the eyes, and the maximum distance of their middle from the middle of the
 * outline. Where the two eyes fill the outline further, the detector finds no face any more.
 */
const EYES_APART = 0.2;
const EYES_OFF = { x: 0.14, y: 0.2 };

/** @param rgba pixels of a reduced frame, row by row */
export function lumaOf(rgba: Uint8ClampedArray): Float32Array {
  const luma = new Float32Array(rgba.length / 4);
  for (let i = 0; i < luma.length; i++) {
    const at = i * 4;
    luma[i] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return luma;
}

/** @param before the luma of the previous frame, of the same size */
export function measureFrame(luma: Float32Array, width: number, before: Float32Array | null): FrameMeasure {
  const height = luma.length / width;
  let [sum, bright, count] = [0, 0, 0];
  let [edges, edgeSquares, total, squares, moved] = [0, 0, 0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const value = luma[i] ?? 0;
      const around =
        (luma[i - 1] ?? 0) + (luma[i + 1] ?? 0) + (luma[i - width] ?? 0) + (luma[i + width] ?? 0);
      const edge = 4 * value - around;
      edges += edge;
      edgeSquares += edge * edge;
      total += value;
      squares += value * value;
      if (before) moved += Math.abs(value - (before[i] ?? 0));
      if (x < width * 0.25 || x > width * 0.75 || y < height * 0.15 || y > height * 0.85) continue;
      sum += value;
      if (value > 250) bright++;
      count++;
    }
  }
  const pixels = (width - 2) * (height - 2);
  const variance = squares / pixels - (total / pixels) ** 2;
  const laplacian = edgeSquares / pixels - (edges / pixels) ** 2;
  return {
    light: sum / count,
    glare: bright / count,
    sharpness: laplacian / (variance + 1),
    ...(before ? { movement: moved / pixels } : {}),
  };
}

/**
 * Returns the most important advice: light first, because nothing else can be checked without it.
 * @param faces the detected faces; null without detection
 */
export function adviceFor(
  measure: FrameMeasure,
  faces: readonly FaceBox[] | null,
  outline: Outline,
): Advice | null {
  if (measure.light < DARK) return 'moreLight';
  if (measure.light > BRIGHT || measure.glare > MAX_GLARE) return 'lessLight';
  if (faces && faces.length > 1) return 'onePerson';
  const placed = faces && (outline === 'face' ? faceAdvice(faces[0]) : eyeAdvice(faces[0]));
  if (placed) return placed;
  if (measure.sharpness < BLURRED || (measure.movement ?? 0) > MOVED) return 'holdStill';
  return null;
}

function faceAdvice(face: FaceBox | undefined): Advice | null {
  if (!face) return 'centre';
  if (face.height < SMALL_FACE) return 'closer';
  const off = Math.max(Math.abs(face.x + face.width / 2 - 0.5), Math.abs(face.y + face.height / 2 - 0.5));
  return off > OFF_CENTRE ? 'centre' : null;
}

/** Without a face the picture may be a close-up of an eye. */
function eyeAdvice(face: FaceBox | undefined): Advice | null {
  if (!face) return null;
  const [right, left] = face.eyes;
  if (Math.hypot(left.x - right.x, left.y - right.y) < EYES_APART) return 'closer';
  const [x, y] = [(right.x + left.x) / 2 - 0.5, (right.y + left.y) / 2 - 0.5];
  return Math.abs(x) > EYES_OFF.x || Math.abs(y) > EYES_OFF.y ? 'centreEyes' : null;
}
