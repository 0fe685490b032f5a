/**
 * Describes an eye in a few hundred small numbers and compares two eyes, to estimate if the eyes on two
 * photos of one session belong to the same person. This is weak evidence, for a hint only (docs/vision.md):
 * it does not identify a person, and the numbers are not stored.
 */

/** Edge directions by cell of a patch around an eye, then its shades. */
export type EyeLikeness = readonly number[];

/** Width and height of the patch in pixels, and the eye's share of its width. */
export const PATCH = { width: 48, height: 36, eyeShare: 0.5 } as const;
const CELL = 6;
const [CELLS_ACROSS, CELLS_DOWN] = [PATCH.width / CELL, PATCH.height / CELL];
const DIRECTIONS = 8;
const SHADES = { across: 16, down: 12 } as const;
const EDGES_LENGTH = CELLS_ACROSS * CELLS_DOWN * DIRECTIONS;
const SHADES_LENGTH = SHADES.across * SHADES.down;
export const LIKENESS_LENGTH = EDGES_LENGTH + SHADES_LENGTH;
/** Numbers are stored as integers on this scale. */
const SCALE = 100;

/**
 * Returns the description of an eye.
 * @param luma of a patch, row by row
 */
export function describeEye(luma: Float32Array): EyeLikeness {
  const smooth = smoothed(luma);
  return [...edgesOf(smooth), ...shadesOf(smooth)].map((value) => Math.round(value * SCALE));
}

/** Weight of the edges, fitted on photos (see the ADR); the shades have the rest. */
const EDGES_WEIGHT = 0.6;

/**
 * Returns how similar the eyes of two photos are, −1 to 1: the mean over the second photo's eyes, each with
 * its best match in the first. Null without eyes.
 */
export function eyeAgreement(first: readonly EyeLikeness[], second: readonly EyeLikeness[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  const best = second.map((eye) => Math.max(...first.map((other) => likenessOf(eye, other))));
  return best.reduce((sum, value) => sum + value, 0) / best.length;
}

/** Returns how similar two eyes are, −1 to 1: the weighted cosines of their edges and their shades. */
export function likenessOf(a: EyeLikeness, b: EyeLikeness): number {
  const edges = cosine(a.slice(0, EDGES_LENGTH), b.slice(0, EDGES_LENGTH));
  const shades = cosine(a.slice(EDGES_LENGTH), b.slice(EDGES_LENGTH));
  return EDGES_WEIGHT * edges + (1 - EDGES_WEIGHT) * shades;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 0;
}

/** A 3 × 3 mean, because two photos seldom have the same sharpness. */
function smoothed(luma: Float32Array): Float32Array {
  return luma.map((_, i) => {
    const [x, y] = [i % PATCH.width, Math.floor(i / PATCH.width)];
    let [sum, count] = [0, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(PATCH.height - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(PATCH.width - 1, x + 1); column++) {
        sum += luma[row * PATCH.width + column] ?? 0;
        count++;
      }
    return sum / count;
  });
}

/**
 * Returns the strength of edges by cell and direction, normalised by the neighbouring cells, minus the part
 * that all patches share.
 */
function edgesOf(luma: Float32Array): Float32Array {
  const { width, height } = PATCH;
  const edges = new Float32Array(EDGES_LENGTH);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const across = (luma[y * width + x + 1] ?? 0) - (luma[y * width + x - 1] ?? 0);
      const down = (luma[(y + 1) * width + x] ?? 0) - (luma[(y - 1) * width + x] ?? 0);
      const turn = ((Math.atan2(down, across) + Math.PI) / (2 * Math.PI)) * DIRECTIONS;
      const cell = Math.floor(y / CELL) * CELLS_ACROSS + Math.floor(x / CELL);
      const at = cell * DIRECTIONS + (Math.floor(turn) % DIRECTIONS);
      edges[at] = (edges[at] ?? 0) + Math.hypot(across, down);
    }
  }
  const strength = Math.sqrt(
    edges.reduce((sum, value) => sum + value * value, 0) / (CELLS_ACROSS * CELLS_DOWN),
  );
  for (let cell = 0; cell < CELLS_ACROSS * CELLS_DOWN; cell++) {
    const part = edges.subarray(cell * DIRECTIONS, (cell + 1) * DIRECTIONS);
    const own = Math.sqrt(part.reduce((sum, value) => sum + value * value, 0));
    for (let i = 0; i < DIRECTIONS; i++) part[i] = (part[i] ?? 0) / (own + 0.5 * strength + 1e-6);
  }
  const mean = edges.reduce((sum, value) => sum + value, 0) / edges.length;
  return edges.map((value) => value - mean);
}

/** Returns coarse shades of the patch, normalised by their mean and contrast. */
function shadesOf(luma: Float32Array): Float32Array {
  const { width, height } = PATCH;
  const [stepX, stepY] = [width / SHADES.across, height / SHADES.down];
  const shades = new Float32Array(SHADES_LENGTH);
  for (let y = 0; y < SHADES.down; y++)
    for (let x = 0; x < SHADES.across; x++) {
      let sum = 0;
      for (let row = 0; row < stepY; row++)
        for (let column = 0; column < stepX; column++)
          sum += luma[(y * stepY + row) * width + x * stepX + column] ?? 0;
      shades[y * SHADES.across + x] = Math.log(1 + sum / (stepX * stepY));
    }
  const mean = shades.reduce((sum, value) => sum + value, 0) / shades.length;
  const deviation =
    Math.sqrt(shades.reduce((sum, value) => sum + (value - mean) ** 2, 0) / shades.length) + 1e-6;
  return shades.map((value) => (value - mean) / deviation / 4);
}
