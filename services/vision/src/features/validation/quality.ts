/** Light and sharpness of a face, measured on its 192 × 192 crop. */
import type { Reason } from './verdict.ts';

export interface Quality {
  /** Mean luma, 0 to 255. */
  mean: number;
  /** Standard deviation of the luma. */
  deviation: number;
  /** Share of pixels above 250, 0 to 1. */
  blownOut: number;
  /** Variance of the Laplacian over the variance of the luma: high where edges are crisp. */
  sharpness: number;
}

/**
 * Measured on portraits and the same portraits darkened, brightened and blurred, and set where a person is
 * no longer recognised, not where the picture is no longer good: dark skin in a dim room measures 45, a
 * portrait against a white wall has a fifth of its crop blown out.
 */
const DARK_MEAN = 32;
const BRIGHT_MEAN = 225;
const MAX_BLOWN_OUT = 0.45;
const MIN_DEVIATION = 10;
const MIN_SHARPNESS = 0.0025;
const BLOWN_OUT_LUMA = 250;

/** @param rgb interleaved red, green, blue of a width × height crop */
export function measureQuality(rgb: Uint8Array, width: number, height: number): Quality {
  const pixels = width * height;
  const luma = lumaOf(rgb, pixels);
  let sum = 0;
  let squares = 0;
  let bright = 0;
  for (let i = 0; i < pixels; i++) {
    const value = luma[i] as number;
    sum += value;
    squares += value * value;
    if (value > BLOWN_OUT_LUMA) bright++;
  }
  const mean = sum / pixels;
  const variance = Math.max(0, squares / pixels - mean ** 2);
  return {
    mean,
    deviation: Math.sqrt(variance),
    blownOut: bright / pixels,
    sharpness: laplacianVariance(luma, width, height) / (variance + 1),
  };
}

// The loops below run over every pixel; their indices stay inside by construction.
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

/** Whether there is too little light to tell anything. */
export function isDark({ mean }: Quality): boolean {
  return mean < DARK_MEAN;
}

/** What is wrong with a picture of this quality, if anything. */
export function qualityFault(quality: Quality): Reason | undefined {
  if (isDark(quality)) return 'too_dark';
  if (quality.mean > BRIGHT_MEAN || quality.blownOut > MAX_BLOWN_OUT) return 'too_bright';
  // No contrast: night or fog, told apart by the side of grey it is on.
  if (quality.deviation < MIN_DEVIATION) return quality.mean < 128 ? 'too_dark' : 'too_bright';
  if (quality.sharpness < MIN_SHARPNESS) return 'blurred';
  return undefined;
}
