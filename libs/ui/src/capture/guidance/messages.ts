/** Messages between the page and the worker that analyses frames: one request at a time. */
import type { Seen } from './look.ts';

export type LookRequest = {
  /** Reduced to 128 pixels on its longer side; transferred. */
  frame: ImageBitmap;
};
export type LookAnswer = Seen;
