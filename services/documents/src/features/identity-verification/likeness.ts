/**
 * A perceptual hash (dHash): each bit says which of two neighbours is brighter, on a picture of 9 × 8 pixels. Another
 * size, format or quality does not change it, so that a photo sent again is recognised; two live photos of one person
 * differ.
 */
import sharp from 'sharp';

const COLUMNS = 8;
const ROWS = 8;
/** The least difference for "brighter": on an even surface only compression artefacts would decide. */
const NOISE = 3;
const MAX_PIXELS = 50_000_000;
/**
 * Each of the 9 × 8 is the mean of a cell of a picture this large. For so few pixels libvips decodes a JPEG at an
 * eighth of its size and rounds its sides down, but not other formats: a copy as WebP then differed in three of ten
 * cases.
 */
const SIDE = 144;
/** With fewer set (or unset) bits the picture is a surface without content, which looks the same for all users. */
const MIN_BITS = 6;

/** Photos whose likenesses differ in at most this many of 64 bits count as the same photo. */
export const SIMILAR_BITS = 4;

/** 64 zeros and ones, or null for a picture that cannot be read or shows nothing. */
export async function likenessOf(path: string): Promise<string | null> {
  let grey: Buffer;
  try {
    grey = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'none' })
      .autoOrient()
      .greyscale()
      .resize(SIDE, SIDE, { fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
  } catch {
    // The vision service decides whether the file is a picture; without a picture there is nothing to compare.
    return null;
  }
  return bitsOf(cellsOf(grey));
}

/** Means of 9 × 8 cells of a square of `SIDE`, row by row. */
function cellsOf(grey: Uint8Array): Uint8Array {
  const [width, height] = [SIDE / (COLUMNS + 1), SIDE / ROWS];
  const sums = new Float64Array((COLUMNS + 1) * ROWS);
  for (let i = 0; i < grey.length; i += 1) {
    // Both are positive and small: `| 0` cuts their fractions off.
    const cell = ((i / SIDE / height) | 0) * (COLUMNS + 1) + (((i % SIDE) / width) | 0);
    sums[cell] = (sums[cell] ?? 0) + (grey[i] ?? 0);
  }
  return Uint8Array.from(sums, (sum) => Math.round(sum / (width * height)));
}

/** @param grey (8 + 1) × 8 lumas, row by row */
export function bitsOf(grey: Uint8Array): string | null {
  let bits = '';
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const at = row * (COLUMNS + 1) + column;
      bits += (grey[at + 1] ?? 0) > (grey[at] ?? 0) + NOISE ? '1' : '0';
    }
  }
  const set = [...bits].filter((bit) => bit === '1').length;
  return set < MIN_BITS || set > bits.length - MIN_BITS ? null : bits;
}

/** Start of each part of a likeness: one more than the bits that may differ, so one part at least is the same. */
const BANDS = [0, 13, 26, 39, 52];

/** The parts by which a likeness is found among others without comparing it to each. */
export function bandsOf(likenesses: readonly (string | null)[]): string[] {
  return likenesses.flatMap((bits) =>
    bits === null ? [] : BANDS.map((from, i) => `${i}:${bits.slice(from, BANDS[i + 1])}`),
  );
}
