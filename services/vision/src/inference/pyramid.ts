/** A picture at several sizes, each half the one before, so that any window of it is one cheap bilinear look away. */
import type { Window } from '../rules/window.ts';
import { sampleGrid } from './bilinear.ts';
import type { Picture } from './picture.ts';
import { reduceTo } from './resample.ts';

/** One size of the picture: `place on the level = place on the picture / factor`. */
interface Level extends Picture {
  factor: number;
}

/** From the largest level (factor 1) to the smallest. */
export type Pyramid = readonly [Level, ...Level[]];

const MAX_LEVELS = 4;
/** A level shorter than this has nothing left to halve. */
const MIN_SIDE = 48;
/** A coarser level still serves when it shows a window at up to this much less than the wanted size. */
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
 * The window's pixels, interleaved RGB, `side` × `side`; beyond the picture its border repeats.
 * @param mirrored left and right exchanged, as the model for the other eye wants it
 * @param out where to write them: side² × 3 bytes
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

/** The coarsest level that still shows a window reduced this much in full. */
function levelFor(pyramid: Pyramid, reduction: number): Level {
  let best = pyramid[0];
  for (const level of pyramid) if (level.factor <= reduction * MAX_ENLARGEMENT) best = level;
  return best;
}
