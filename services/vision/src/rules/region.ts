import type { Detection } from '@karaar/faces/detection';
import { boundsOf, heightOf, widthOf, type Point } from '@karaar/faces/geometry';
import { pointsOf as windowPoints } from './window.ts';

export interface Region {
  centre: Point;
  side: number;
  /** Rotation in radians, clockwise on the screen. */
  turn: number;
}

export const REGION_INPUT = 192;
/** The region is larger than the detector's box by this factor (MediaPipe's value). */
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

const OUTER_CORNERS = [33, 263] as const;

/** Returns the region of a face's mesh, as if a detector had found exactly that face. */
export function regionAround(mesh: readonly Point[]): Region {
  const [right, left] = [mesh[OUTER_CORNERS[0]], mesh[OUTER_CORNERS[1]]];
  if (!right || !left) throw new Error('A mesh has 468 points');
  const turn = Math.atan2(left.y - right.y, left.x - right.x);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const box = boundsOf(mesh.map(({ x, y }) => ({ x: x * cos + y * sin, y: y * cos - x * sin })));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return {
    centre: { x: x * cos - y * sin, y: x * sin + y * cos },
    side: Math.max(widthOf(box), heightOf(box)) * MARGIN,
    turn,
  };
}

/**
 * Maps coordinates in pixels of the 192 × 192 input to points of the picture.
 * @param numbers per point: 2 (x and y), or 3 with a depth that is ignored
 */
export function pointsOf(coordinates: Float32Array, { centre, side, turn }: Region, numbers = 2): Point[] {
  const flat = numbers === 2 ? coordinates : coordinates.filter((_, i) => i % numbers < 2);
  return windowPoints(flat, { centre, width: side, height: side, turn }, REGION_INPUT);
}
