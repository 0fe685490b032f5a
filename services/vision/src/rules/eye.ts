import { distance, type Point } from '@karaar/faces/geometry';

/** The first 16 of the 71 points are the lid line; the rest are brow and socket. */
export const LID_POINTS = 16;
/** Corners of the eye, and pairs of points across it (upper, lower). */
const CORNERS = [0, 8] as const;
const ACROSS = [
  [11, 3],
  [12, 4],
  [13, 5],
] as const;

export interface EyeShape {
  width: number;
  /** Mean height over width: about 0.3 wide open, below 0.1 closed. */
  aspect: number;
}

export function eyeShape(contour: readonly Point[]): EyeShape {
  const between = (a: number, b: number): number => {
    const [from, to] = [contour[a], contour[b]];
    if (!from || !to) throw new Error(`An eye contour has at least ${LID_POINTS} points`);
    return distance(from, to);
  };
  const width = between(...CORNERS);
  const height = ACROSS.reduce((sum, [upper, lower]) => sum + between(upper, lower), 0) / ACROSS.length;
  return { width, aspect: width > 0 ? height / width : 0 };
}
