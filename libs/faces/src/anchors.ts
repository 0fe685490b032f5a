/** The fixed positions for which the detectors were trained (MediaPipe's SSD anchors, box size 1). */
import type { Point } from './geometry.ts';

export interface AnchorGrid {
  cells: number;
  perCell: number;
}

/** Short range: 128 pixels, strides 8 and 16 (three layers with stride 16 share one grid). */
export const SHORT_RANGE_GRIDS: readonly AnchorGrid[] = [
  { cells: 16, perCell: 2 },
  { cells: 8, perCell: 6 },
];

/** Full range: 192 pixels, stride 4. */
export const FULL_RANGE_GRIDS: readonly AnchorGrid[] = [{ cells: 48, perCell: 1 }];

/** Returns anchor centres in fractions of the input, in the order of the model's outputs. */
export function anchorsOf(grids: readonly AnchorGrid[]): Point[] {
  return grids.flatMap(({ cells, perCell }) =>
    Array.from({ length: cells * cells * perCell }, (_, i) => {
      const cell = Math.floor(i / perCell);
      return { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells };
    }),
  );
}
