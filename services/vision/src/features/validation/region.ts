/** The square around a face, upright to the line of its eyes, that the landmark models look at. */
import type { Detection } from './detection.ts';
import { heightOf, widthOf, type Point } from './geometry.ts';
import { pointsOf as windowPoints } from './window.ts';

export interface Region {
  centre: Point;
  /** Side in pixels of the picture. */
  side: number;
  /** Turn in radians, clockwise on the screen. */
  turn: number;
}

/** Side of the square input of the landmark models, in pixels. */
export const REGION_INPUT = 192;
/** The region reaches beyond the detector's box by this factor (MediaPipe's value). */
const MARGIN = 1.5;

export function regionOf({ box, keypoints }: Detection): Region {
  const [rightEye, leftEye] = keypoints;
  const turn = rightEye && leftEye ? Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x) : 0;
  return {
    centre: { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 },
    side: Math.max(widthOf(box), heightOf(box)) * MARGIN,
    turn,
  };
}

/** Pairs of x and y in pixels of the 192 × 192 input, as points of the picture. */
export function pointsOf(coordinates: Float32Array, { centre, side, turn }: Region): Point[] {
  return windowPoints(coordinates, { centre, width: side, height: side, turn }, REGION_INPUT);
}
