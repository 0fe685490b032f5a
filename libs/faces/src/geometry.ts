/** Points and boxes in pixels of a picture; y grows downwards. */

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

export function widthOf(box: Rect): number {
  return box.right - box.left;
}

export function heightOf(box: Rect): number {
  return box.bottom - box.top;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Returns the intersection over union, 0 (apart) to 1 (the same box). */
export function overlap(a: Rect, b: Rect): number {
  const width = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
  const height = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const shared = width * height;
  const union = widthOf(a) * heightOf(a) + widthOf(b) * heightOf(b) - shared;
  return union > 0 ? shared / union : 0;
}

/** Returns the smallest box around the points; its edges are infinite without points. */
export function boundsOf(points: readonly Point[]): Rect {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns true on the left and top edges, false on the right and bottom edges. */
export function isInside(point: Point, picture: Size): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < picture.width && point.y < picture.height;
}
