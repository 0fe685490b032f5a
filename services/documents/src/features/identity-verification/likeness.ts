/**
 * A perceptual hash (dHash): each bit says which of two neighbours on a picture of 9 × 8 pixels is brighter.
 * It hardly changes with size, format or quality, so that a repeated photo is recognised, while two live
 * photos of one person differ.
 */
import sharp from 'sharp';

const COLUMNS = 8;
const ROWS = 8;
/** The minimum difference for “brighter”: otherwise compression artefacts decide on an even surface. */
const NOISE = 3;
const MAX_PIXELS = 50_000_000;
/**
 * Each of the 9 × 8 pixels is the mean of a cell of a picture of this size. For smaller sizes, libvips
 * decodes a JPEG at an eighth of its size and rounds its sides down, unlike other formats: a copy as WebP
 * then differed in three of ten cases.
 */
const SIDE = 144;
/** With fewer set (or unset) bits, the picture is an even surface, which looks the same for all users. */
const MIN_BITS = 6;

/** Photos whose likenesses differ in at most this many of 64 bits count as the same photo. */
export const SIMILAR_BITS = 4;

/** Returns 64 zeros and ones, or null for a picture that is unreadable or blank. */
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
    // The vision service decides whether the file is a picture; here there is nothing to compare.
    return null;
  }
  return bitsOf(cellsOf(grey));
}

function cellsOf(grey: Uint8Array): Uint8Array {
  const [width, height] = [SIDE / (COLUMNS + 1), SIDE / ROWS];
  const sums = new Float64Array((COLUMNS + 1) * ROWS);
  for (let i = 0; i < grey.length; i += 1) {
    // Both values are positive and small, so `| 0` truncates them.
    const cell = ((i / SIDE / height) | 0) * (COLUMNS + 1) + (((i % SIDE) / width) | 0);
    sums[cell] = (sums[cell] ?? 0) + (grey[i] ?? 0);
  }
  return Uint8Array.from(sums, (sum) => Math.round(sum / (width * height)));
}

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

/** The start of each band. Likenesses that differ in at most `SIMILAR_BITS` bits share at least one band. */
const BANDS = [0, 13, 26, 39, 52];

/** Returns the bands, by which an index finds similar likenesses without comparing each. */
export function bandsOf(likenesses: readonly (string | null)[]): string[] {
  return likenesses.flatMap((bits) =>
    bits === null ? [] : BANDS.map((from, i) => `${i}:${bits.slice(from, BANDS[i + 1])}`),
  );
}
