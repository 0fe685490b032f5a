/** The square around a face, upright to the line of its eyes, that the landmark models look at. */
import type { Detection } from './detection.ts';
import { heightOf, widthOf, type Point } from './geometry.ts';

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
export function pointsOf(coordinates: Float32Array, region: Region): Point[] {
  const scale = region.side / REGION_INPUT;
  const [cos, sin] = [Math.cos(region.turn) * scale, Math.sin(region.turn) * scale];
  return Array.from({ length: coordinates.length / 2 }, (_, i) => {
    const u = (coordinates[2 * i] ?? 0) - REGION_INPUT / 2;
    const v = (coordinates[2 * i + 1] ?? 0) - REGION_INPUT / 2;
    return { x: region.centre.x + u * cos - v * sin, y: region.centre.y + u * sin + v * cos };
  });
}
