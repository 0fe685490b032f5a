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
  score: number;
  /** A face's eyes, nose, mouth and ears, or the lid line of an eye, in the same fractions. */
  landmarks: Point[];
}

export interface Verdict {
  ok: boolean;
  reason?: Reason;
  /** The places of the faces or eyes that the verdict is about. */
  boxes: Place[];
  /** The descriptions of an accepted photo's eyes, from several crops each, if requested. */
  eyes?: EyeLikeness[];
}

export type DetectType = 'faces' | 'eyes';

/** The verdict on bytes that are not a readable still picture. */
export const NOT_AN_IMAGE: Verdict = { ok: false, reason: 'not_an_image', boxes: [] };
