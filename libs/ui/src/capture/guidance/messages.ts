/** What the page and the worker that looks at the camera's frames say to each other: one question at a time. */
import type { Seen } from './look.ts';

export type LookRequest = {
  /** Reduced to 128 pixels on its longer side; handed over. */
  frame: ImageBitmap;
  /** Whether to look for faces as well. */
  faces: boolean;
};
export type LookAnswer = Seen;
