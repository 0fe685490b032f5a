/** What the service says about a photo. */
import type { EyeLikeness } from '@karaar/faces/eye-likeness';
import type { Point } from '@karaar/faces/geometry';

export type Reason =
  | 'no_face'
  | 'multiple_faces'
  | 'no_eye'
  | 'eyes_closed'
  | 'too_dark'
  | 'too_bright'
  | 'blurred'
  | 'too_small'
  | 'not_an_image';

/** A place in fractions of the upright picture's width and height. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  /** How sure it is, 0 to 1. */
  score: number;
  /** A face's eyes, nose, mouth and ears, or the lid line of an eye, in the same fractions. */
  landmarks: Point[];
}

export interface Verdict {
  ok: boolean;
  /** Why not; absent when ok. */
  reason?: Reason;
  /** Where the faces (or eyes) are that the verdict is about. */
  boxes: Place[];
  /** Of an accepted photo, where it was asked for: what its eyes look like, in several cuts each. */
  eyes?: EyeLikeness[];
}

/** What a photo is asked for. */
export type DetectType = 'faces' | 'eyes';

/** The verdict on bytes that cannot be decoded as a still picture. */
export const NOT_AN_IMAGE: Verdict = { ok: false, reason: 'not_an_image', boxes: [] };
