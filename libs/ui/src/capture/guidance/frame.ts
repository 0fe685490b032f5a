/** What a small picture of the camera's view says about light, sharpness and movement. Pure. */

/** Measured on a reduced frame; lumas are 0 to 255. */
export type FrameMeasure = {
  /** Mean luma of the middle, where the face belongs. */
  light: number;
  /** Share of the middle that is blown out, 0 to 1. */
  glare: number;
  /** Variance of the Laplacian over the variance of the luma: high where edges are crisp. */
  sharpness: number;
  /** Mean change of luma since the frame before; absent for the first one. */
  movement?: number;
};

/** What helps the person in front of the camera; also the key of its text. */
export type Advice = 'moreLight' | 'lessLight' | 'holdStill' | 'onePerson' | 'closer' | 'centre';

/** What helps to take a better photo than one that was refused. */
export type CaptureHint = Advice | 'openEyes';

/** A face that was found, in shares of the frame. */
export type FaceBox = { x: number; y: number; width: number; height: number };

/** Side by side with the server's limits (30 and 230), with room: what is told here passes there. */
const DARK = 45;
const BRIGHT = 215;
const MAX_GLARE = 0.35;
const BLURRED = 0.004;
const MOVED = 9;
/** Share of the frame's height that a face should take, and how far off the middle it may be. */
const SMALL_FACE = 0.25;
const OFF_CENTRE = 0.2;

/** @param rgba pixels of a reduced frame, row by row */
export function lumaOf(rgba: Uint8ClampedArray): Float32Array {
  const luma = new Float32Array(rgba.length / 4);
  for (let i = 0; i < luma.length; i++) {
    const at = i * 4;
    luma[i] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return luma;
}

/** @param before the luma of the frame before, of the same size */
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
 * The one thing to say now: light first, since without it nothing else can be seen.
 * @param faces what was found; null where nobody looked for any
 */
export function adviceFor(measure: FrameMeasure, faces: readonly FaceBox[] | null): Advice | null {
  if (measure.light < DARK) return 'moreLight';
  if (measure.light > BRIGHT || measure.glare > MAX_GLARE) return 'lessLight';
  if (faces && faces.length > 1) return 'onePerson';
  const [face] = faces ?? [];
  if (face) {
    if (face.height < SMALL_FACE) return 'closer';
    const off = Math.max(Math.abs(face.x + face.width / 2 - 0.5), Math.abs(face.y + face.height / 2 - 0.5));
    if (off > OFF_CENTRE) return 'centre';
  } else if (faces) return 'centre';
  if (measure.sharpness < BLURRED || (measure.movement ?? 0) > MOVED) return 'holdStill';
  return null;
}
