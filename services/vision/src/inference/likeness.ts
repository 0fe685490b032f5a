import { describeEye, PATCH, type EyeLikeness } from '@karaar/faces/eye-likeness';
import { distance, type Point } from '@karaar/faces/geometry';
import { sampleGrid } from './bilinear.ts';
import type { Picture } from './picture.ts';
import { resize } from './sizes.ts';

/** The corners of an eye in pixels of the picture, the left one on the picture first. */
export type Corners = readonly [Point, Point];

/** Scales and offsets of the extra crops of an eye, in shares of its width. */
const SCALES = [0.82, 1, 1.22];
const RISES = [-0.1, 0, 0.1];

export async function likenessesOf(picture: Picture, eyes: readonly Corners[]): Promise<EyeLikeness[]> {
  const [first] = eyes;
  if (!first) return [];
  // libvips reduces the picture first, so that one sample per pixel is enough.
  const factor = Math.max(1, distance(...first) / (PATCH.width * PATCH.eyeShare));
  const small = await resize(
    picture,
    Math.round(picture.width / factor),
    Math.round(picture.height / factor),
  );
  const [x, y] = [small.width / picture.width, small.height / picture.height];
  const reduced = (point: Point): Point => ({ x: point.x * x, y: point.y * y });
  return eyes.map(([a, b]) => describeEye(patchAt(small, [reduced(a), reduced(b)])));
}

/** Returns the same eye with crops that are a little wider, narrower, higher and lower. */
export function nearby([a, b]: Corners): Corners[] {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const along = { x: (b.x - a.x) / 2, y: (b.y - a.y) / 2 };
  return SCALES.flatMap((scale) =>
    RISES.map((rise): Corners => {
      const [x, y] = [middle.x - 2 * rise * along.y, middle.y + 2 * rise * along.x];
      return [
        { x: x - along.x * scale, y: y - along.y * scale },
        { x: x + along.x * scale, y: y + along.y * scale },
      ];
    }),
  );
}

function patchAt(picture: Picture, [a, b]: Corners): Float32Array {
  const step = distance(a, b) / (PATCH.width * PATCH.eyeShare);
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  const along = { x: Math.cos(turn) * step, y: Math.sin(turn) * step };
  const down = { x: -along.y, y: along.x };
  const first = 0.5 - PATCH.width / 2;
  const start = {
    x: (a.x + b.x) / 2 - 0.5 + first * (along.x + down.x),
    y: (a.y + b.y) / 2 - 0.5 + first * (along.y + down.y),
  };
  const square = new Uint8Array(PATCH.width * PATCH.width * 3);
  sampleGrid(picture, { start, along, down }, PATCH.width, square);
  // The patch is wider than high: only the middle rows of the square.
  const skipped = ((PATCH.width - PATCH.height) / 2) * PATCH.width;
  return Float32Array.from({ length: PATCH.width * PATCH.height }, (_, i) => {
    const at = (skipped + i) * 3;
    return 0.299 * (square[at] ?? 0) + 0.587 * (square[at + 1] ?? 0) + 0.114 * (square[at + 2] ?? 0);
  });
}
