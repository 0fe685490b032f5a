/** Measures how an iris contrasts with the skin around the eye and with the white next to it. */
import { distance, type Point } from '@karaar/faces/geometry';
import { cornersOf, windowAround, type Pass } from '../rules/evidence.ts';
import type { Picture } from './picture.ts';

/** Side of the eye model's input, the unit for distances around an eye. */
export const EYE_SIDE = 64;
/** Sampled radii inside the iris and next to it, in radii of the iris. */
const IRIS_INSIDE = 0.6;
const BESIDE_IRIS = [1.25, 1.5, 1.75];
/** Largest share of the way to the corner of the eye that is sampled. */
const NEAR_CORNER = 0.92;

/** Returns how much darker the iris is than a ring outside the lids, from their median lumas. */
export function contrastOf(picture: Picture, { contour, iris }: Pass): number {
  const { centre, radius } = discOf(iris);
  const disc = lumasIn(picture, centre, radius, 0.7);
  const lids = contour.slice(0, 16);
  const middle = {
    x: lids.reduce((sum, { x }) => sum + x, 0) / lids.length,
    y: lids.reduce((sum, { y }) => sum + y, 0) / lids.length,
  };
  const reach = windowAround(contour).height * (6 / EYE_SIDE);
  const ring = lids.map(({ x, y }) =>
    lumaAt(picture, { x: middle.x + (x - middle.x) * 1.1, y: y + Math.sign(y - middle.y || 1) * reach }),
  );
  const [inside, outside] = [median(disc), median(ring)];
  return (outside - inside) / (outside + 10);
}

/**
 * Returns how much darker the iris is than the area next to it between the lids, on its better side: the
 * white of an open eye, or skin on a closed one. The mean of all passes.
 */
export function whiteContrastOf(picture: Picture, passes: readonly Pick<Pass, 'contour' | 'iris'>[]): number {
  const contrasts = passes.map(({ contour, iris }) => {
    const { centre, radius } = discOf(iris);
    const inside = median(lumasIn(picture, centre, radius, IRIS_INSIDE));
    const beside = Math.max(...cornersOf(contour).map((corner) => besideOf(picture, centre, radius, corner)));
    return (beside - inside) / (beside + 10);
  });
  return contrasts.reduce((sum, contrast) => sum + contrast, 0) / contrasts.length;
}

function besideOf(picture: Picture, centre: Point, radius: number, corner: Point): number {
  const length = distance(centre, corner);
  if (length === 0) return lumaAt(picture, centre);
  const lumas = BESIDE_IRIS.map((reach) => {
    const share = Math.min(reach * radius, NEAR_CORNER * length) / length;
    return lumaAt(picture, {
      x: centre.x + (corner.x - centre.x) * share,
      y: centre.y + (corner.y - centre.y) * share,
    });
  });
  return median(lumas);
}

function discOf(iris: readonly Point[]): { centre: Point; radius: number } {
  const [centre, right, upper, left, lower] = iris;
  if (!centre || !right || !upper || !left || !lower) throw new Error('An iris has five points');
  return { centre, radius: (distance(right, left) + distance(upper, lower)) / 4 };
}

function lumasIn(picture: Picture, centre: Point, radius: number, share: number): number[] {
  const lumas: number[] = [];
  for (let y = -share; y <= share; y += 0.2)
    for (let x = -share; x <= share; x += 0.2)
      if (x * x + y * y <= share * share)
        lumas.push(lumaAt(picture, { x: centre.x + x * radius, y: centre.y + y * radius }));
  return lumas;
}

function lumaAt({ rgb, width, height }: Picture, { x, y }: Point): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x - 0.5)));
  const row = Math.min(height - 1, Math.max(0, Math.round(y - 0.5)));
  const at = (row * width + column) * 3;
  return 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
