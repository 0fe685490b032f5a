import type { Size } from './geometry.ts';

export interface FaceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A crop in pixels of the photo. If the head fills the photo, the crop is larger than the photo in one
 * direction.
 */
export interface Cut extends Size {
  left: number;
  top: number;
}

/** The detector's box reaches from the brows to the chin; forehead and hair add this share of its height. */
const HAIR = 0.5;
/** Height of a crop in head heights: with neck and shoulders, or only the head if the photo has no more. */
const COMFORTABLE = 1.7;
const TIGHT = 1.1;
const HEAD_WIDTH = 1.3;

/**
 * Returns the crop of a photo that shows the person.
 * @param aspect width by height of the frame and of the crop
 */
export function portraitCut(face: FaceBox, photo: Size, aspect: number): Cut {
  const faceHeight = face.height * photo.height;
  const head = {
    top: face.y * photo.height - HAIR * faceHeight,
    height: (1 + HAIR) * faceHeight,
    width: HEAD_WIDTH * face.width * photo.width,
  };
  const heightFor = (heads: number) => heads * Math.max(head.height, head.width / aspect);
  const largest = Math.min(photo.height, photo.width / aspect);
  const height = Math.max(heightFor(TIGHT), Math.min(heightFor(COMFORTABLE), largest));
  const width = height * aspect;
  return {
    width,
    height,
    left: within((face.x + face.width / 2) * photo.width - width / 2, width, photo.width),
    top: within(head.top + head.height / 2 - height / 2, height, photo.height),
  };
}

/**
 * Positions a length inside a longer one, as close as possible to the wanted start. A length that does not
 * fit is centred.
 */
const within = (wanted: number, length: number, whole: number): number =>
  length > whole ? (whole - length) / 2 : Math.min(Math.max(wanted, 0), whole - length);
