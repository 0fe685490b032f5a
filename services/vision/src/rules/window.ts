/**
 * A rotated rectangle on the picture for a model's input, and the mapping of the model's points back to the
 * picture.
 */
import type { Point } from '@karaar/faces/geometry';

export interface Window {
  centre: Point;
  /** Along the rotated axes, in pixels of the picture. */
  width: number;
  height: number;
  /** Radians, clockwise on the screen. */
  turn: number;
}

/** Maps pairs of x and y in pixels of a `side` × `side` view of the window to points of the picture. */
export function pointsOf(coordinates: Float32Array, window: Window, side: number, mirrored = false): Point[] {
  const [cos, sin] = [Math.cos(window.turn), Math.sin(window.turn)];
  const [scaleX, scaleY] = [(window.width / side) * (mirrored ? -1 : 1), window.height / side];
  return Array.from({ length: coordinates.length / 2 }, (_, i) => {
    const u = ((coordinates[2 * i] ?? 0) - side / 2) * scaleX;
    const v = ((coordinates[2 * i + 1] ?? 0) - side / 2) * scaleY;
    return { x: window.centre.x + u * cos - v * sin, y: window.centre.y + u * sin + v * cos };
  });
}

/** Moves the window along its own axes by shares of its size, and scales it. */
export function nudge(window: Window, { x = 0, y = 0, scale = 1 }): Window {
  const [cos, sin] = [Math.cos(window.turn), Math.sin(window.turn)];
  const [u, v] = [x * window.width, y * window.height];
  return {
    centre: { x: window.centre.x + u * cos - v * sin, y: window.centre.y + u * sin + v * cos },
    width: window.width * scale,
    height: window.height * scale,
    turn: window.turn,
  };
}
