/** Pictures bent so that some of their points come to lie elsewhere, all between them following smoothly. */
import type { Point } from '@karaar/faces/geometry';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { bilinear } from './canvas.ts';

/** The way back is worked out on a grid of so many squares to a side, and in between by proportion. */
const SQUARES = 72;
/** How much nearer points count more: the power of the distance's square. */
const NEARNESS = 1.4;

/**
 * The source bent: what is at `from[i]` of it is at `to[i]` of the result, whose frame is as large as `frame`'s. Between
 * the points a turn, a size and a shift that suit the nearest ones best (moving least squares of similarities).
 */
export function bent(
  source: Picture,
  from: readonly Point[],
  to: readonly Point[],
  { width, height }: Pick<Picture, 'width' | 'height'> = source,
): Picture {
  const grid = Array.from({ length: (SQUARES + 1) ** 2 }, (_, i) => {
    const [column, row] = [i % (SQUARES + 1), Math.floor(i / (SQUARES + 1))];
    return wayBack({ x: (column / SQUARES) * width, y: (row / SQUARES) * height }, from, to);
  });
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0, o = 0; y < height; y++) {
    const down = (y / height) * SQUARES;
    const row = Math.floor(down);
    for (let x = 0; x < width; x++, o += 3) {
      const across = (x / width) * SQUARES;
      const column = Math.floor(across);
      const at = row * (SQUARES + 1) + column;
      const { x: fromX, y: fromY } = between(grid, at, across - column, down - row);
      bilinear(source, fromX, fromY, rgb, o);
    }
  }
  return { rgb, width, height };
}

/** A place within the square whose upper left corner is the grid's point `at`. */
function between(grid: readonly Point[], at: number, across: number, down: number): Point {
  const corners = [grid[at], grid[at + 1], grid[at + SQUARES + 1], grid[at + SQUARES + 2]];
  const shares = [(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down];
  return corners.reduce<Point>(
    (sum, corner, i) => ({
      x: sum.x + (corner?.x ?? 0) * (shares[i] ?? 0),
      y: sum.y + (corner?.y ?? 0) * (shares[i] ?? 0),
    }),
    { x: 0, y: 0 },
  );
}

/** Where on the source a place of the result comes from. */
function wayBack(place: Point, from: readonly Point[], to: readonly Point[]): Point {
  const weights = to.map(({ x, y }) => 1 / ((x - place.x) ** 2 + (y - place.y) ** 2 + 1) ** NEARNESS);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const [toMiddle, fromMiddle] = [weighted(to, weights, total), weighted(from, weights, total)];
  let [along, aside, size] = [0, 0, 0];
  for (const [i, weight] of weights.entries()) {
    const [px, py] = [(to[i]?.x ?? 0) - toMiddle.x, (to[i]?.y ?? 0) - toMiddle.y];
    const [qx, qy] = [(from[i]?.x ?? 0) - fromMiddle.x, (from[i]?.y ?? 0) - fromMiddle.y];
    along += weight * (px * qx + py * qy);
    aside += weight * (px * qy - py * qx);
    size += weight * (px * px + py * py);
  }
  const [dx, dy] = [place.x - toMiddle.x, place.y - toMiddle.y];
  return {
    x: fromMiddle.x + (along * dx - aside * dy) / size,
    y: fromMiddle.y + (aside * dx + along * dy) / size,
  };
}

function weighted(points: readonly Point[], weights: readonly number[], total: number): Point {
  const sum = { x: 0, y: 0 };
  for (const [i, { x, y }] of points.entries()) {
    sum.x += x * (weights[i] ?? 0);
    sum.y += y * (weights[i] ?? 0);
  }
  return { x: sum.x / total, y: sum.y / total };
}
