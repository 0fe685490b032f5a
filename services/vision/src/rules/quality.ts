import type { Reason } from './verdict.ts';

export interface Quality {
  mean: number;
  deviation: number;
  /** Share of pixels above 250, 0 to 1. */
  blownOut: number;
  /** Variance of the Laplacian over the variance of the luma: high for crisp edges. */
  sharpness: number;
}

/**
 * Limits beyond which a person is not recognised, from darkened, brightened and blurred portraits
 * (docs/vision.md). Dark skin in a dim room measures 45. A blur of 2 % of the face's width, which leaves as
 * much detail as 20 pixels, measures 0.002.
 */
const DARK_MEAN = 30;
const BRIGHT_MEAN = 230;
const MAX_BLOWN_OUT = 0.5;
const MIN_DEVIATION = 10;
const MIN_SHARPNESS = 0.002;
const BLOWN_OUT_LUMA = 250;
/** Half axes of the ellipse that a face fills on its crop, in shares of the crop's sides. */
const FACE_ACROSS = 0.26;
const FACE_DOWN = 0.33;
const MIDDLE_GREY = 128;

/**
 * Measures light and sharpness of a face's crop: side × side pixels of interleaved RGB. The light is that of
 * the face or of the whole crop, whichever is better, so that a white wall or darkness behind the person, or
 * a window, does not make a photo fail.
 */
export function measureFaceQuality(rgb: Uint8Array, side: number): Quality {
  const luma = lumaOf(rgb, side * side);
  const all = lightOf(luma);
  const face = lightOf(luma, faceOn(side));
  const better = Math.abs(face.mean - MIDDLE_GREY) < Math.abs(all.mean - MIDDLE_GREY) ? face : all;
  return {
    mean: better.mean,
    deviation: all.deviation,
    blownOut: Math.min(face.blownOut, all.blownOut),
    sharpness: laplacianVariance(luma, side, side) / (all.deviation ** 2 + 1),
  };
}

/**
 * Returns 1 for each pixel of the crop inside the face's ellipse. Cached, because all crops have the same
 * size.
 */
function faceOn(side: number): Uint8Array {
  if (faceMask.length === side * side) return faceMask;
  faceMask = Uint8Array.from({ length: side * side }, (_, i) => {
    const [across, down] = [((i % side) + 0.5) / side - 0.5, (Math.floor(i / side) + 0.5) / side - 0.5];
    return (across / FACE_ACROSS) ** 2 + (down / FACE_DOWN) ** 2 <= 1 ? 1 : 0;
  });
  return faceMask;
}
let faceMask = new Uint8Array();

/** @param mask 1 for pixels that count; all count without it */
function lightOf(luma: Float32Array, mask?: Uint8Array): Omit<Quality, 'sharpness'> {
  let [sum, squares, bright, count] = [0, 0, 0, 0];
  for (let i = 0; i < luma.length; i++) {
    if (mask && mask[i] === 0) continue;
    const value = luma[i] as number;
    sum += value;
    squares += value * value;
    count++;
    if (value > BLOWN_OUT_LUMA) bright++;
  }
  const mean = sum / count;
  const variance = Math.max(0, squares / count - mean ** 2);
  return { mean, deviation: Math.sqrt(variance), blownOut: bright / count };
}

// The loops below run over every pixel; their indices are within bounds by construction.
function lumaOf(rgb: Uint8Array, pixels: number): Float32Array {
  const luma = new Float32Array(pixels);
  for (let i = 0, at = 0; i < pixels; i++, at += 3) {
    luma[i] = 0.299 * (rgb[at] as number) + 0.587 * (rgb[at + 1] as number) + 0.114 * (rgb[at + 2] as number);
  }
  return luma;
}

function laplacianVariance(luma: Float32Array, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const beside = (luma[i - 1] as number) + (luma[i + 1] as number);
      const above = (luma[i - width] as number) + (luma[i + width] as number);
      const edge = 4 * (luma[i] as number) - beside - above;
      sum += edge;
      squares += edge * edge;
    }
  }
  const count = (width - 2) * (height - 2);
  return squares / count - (sum / count) ** 2;
}

/** Measures only the mean luma, 0 to 255, for pictures in which nothing was found. */
export function measureLight(rgb: Uint8Array): Pick<Quality, 'mean'> {
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0; at < rgb.length; at += 3) {
    red += rgb[at] as number;
    green += rgb[at + 1] as number;
    blue += rgb[at + 2] as number;
  }
  return { mean: (0.299 * red + 0.587 * green + 0.114 * blue) / (rgb.length / 3) };
}

export function isDark({ mean }: Pick<Quality, 'mean'>): boolean {
  return mean < DARK_MEAN;
}

export function qualityFault(quality: Quality): Reason | undefined {
  if (isDark(quality)) return 'too_dark';
  if (quality.mean > BRIGHT_MEAN || quality.blownOut > MAX_BLOWN_OUT) return 'too_bright';
  // No contrast: night if it is darker than middle grey, otherwise fog.
  if (quality.deviation < MIN_DEVIATION) return quality.mean < 128 ? 'too_dark' : 'too_bright';
  if (quality.sharpness < MIN_SHARPNESS) return 'blurred';
  return undefined;
}
