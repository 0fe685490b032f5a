/**
 * A picture at several sizes, each half the one before, so that any window of it needs only one cheap
 * bilinear sample per pixel.
 */
import type { Window } from '../rules/window.ts';
import { sampleGrid } from './bilinear.ts';
import type { Picture } from './picture.ts';
import { reduceTo } from './resample.ts';

/** One size of the picture: `position on the level = position on the picture / factor`. */
interface Level extends Picture {
  factor: number;
}

export type Pyramid = readonly [Level, ...Level[]];

const MAX_LEVELS = 4;
/** Levels with a shorter side of at most this are not halved. */
const MIN_SIDE = 48;
const MAX_ENLARGEMENT = 1.15;

export function buildPyramid(picture: Picture): Pyramid {
  const levels: [Level, ...Level[]] = [{ ...picture, factor: 1 }];
  let last: Level = levels[0];
  while (levels.length < MAX_LEVELS && Math.min(last.width, last.height) > MIN_SIDE) {
    const [width, height] = [Math.round(last.width / 2), Math.round(last.height / 2)];
    last = { ...reduceTo(last, width, height, 'lanczos'), factor: (last.factor * last.width) / width };
    levels.push(last);
  }
  return levels;
}

/**
 * Writes the window's pixels, interleaved RGB, `side` × `side`. Outside the picture its border repeats.
 * @param mirrored swaps left and right, as the model needs for the other eye
 * @param out receives side² × 3 bytes
 */
export function sampleWindow(
  pyramid: Pyramid,
  window: Window,
  side: number,
  mirrored: boolean,
  out: Uint8Array,
): void {
  const level = levelFor(pyramid, Math.max(window.width, window.height) / side);
  const { factor } = level;
  const cos = Math.cos(window.turn) / factor;
  const sin = Math.sin(window.turn) / factor;
  const perColumn = (window.width / side) * (mirrored ? -1 : 1);
  const perRow = window.height / side;
  const along = { x: perColumn * cos, y: perColumn * sin };
  const down = { x: -perRow * sin, y: perRow * cos };
  const first = 0.5 - side / 2;
  const start = {
    x: window.centre.x / factor - 0.5 + first * (along.x + down.x),
    y: window.centre.y / factor - 0.5 + first * (along.y + down.y),
  };
  sampleGrid(level, { start, along, down }, side, out);
}

/** Returns the coarsest level that still has enough resolution for this reduction. */
function levelFor(pyramid: Pyramid, reduction: number): Level {
  let best = pyramid[0];
  for (const level of pyramid) if (level.factor <= reduction * MAX_ENLARGEMENT) best = level;
  return best;
}
