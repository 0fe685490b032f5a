/** The fixed places that the detectors were trained to look from (MediaPipe's SSD anchors, box size 1). */
import type { Point } from './geometry.ts';

/** A square grid of cells with several anchors in each. */
export interface AnchorGrid {
  cells: number;
  perCell: number;
}

/** Short range: 128 pixels, strides 8 and 16 (three layers of the latter share one grid). */
export const SHORT_RANGE_GRIDS: readonly AnchorGrid[] = [
  { cells: 16, perCell: 2 },
  { cells: 8, perCell: 6 },
];

/** Full range: 192 pixels, stride 4. */
export const FULL_RANGE_GRIDS: readonly AnchorGrid[] = [{ cells: 48, perCell: 1 }];

/** Anchor centres in fractions of the input, in the order of the model's outputs. */
export function anchorsOf(grids: readonly AnchorGrid[]): Point[] {
  return grids.flatMap(({ cells, perCell }) =>
    Array.from({ length: cells * cells * perCell }, (_, i) => {
      const cell = Math.floor(i / perCell);
      return { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells };
    }),
  );
}
