/** The part of a photo by which a person is shown. */
import type { Size } from './geometry.ts';

/** A face in fractions of the upright photo's width and height. */
export interface FaceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A cut in pixels of the photo. Where the head fills the photo, the cut is larger than the photo in one direction. */
export interface Cut extends Size {
  left: number;
  top: number;
}

/** The detector's box goes from the brows to the chin: this much of its height above it is forehead and hair. */
const HAIR = 0.5;
/** Head heights that a cut has: the head with its neck and shoulders, or the head alone where the photo holds no more. */
const COMFORTABLE = 1.7;
const TIGHT = 1.1;
/** A head's width with its hair, in widths of the box. */
const HEAD_WIDTH = 1.3;

/** @param aspect width by height of the frame; the cut has it too */
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

/** The place of a length inside a longer one, next to where it is wanted; in the middle of a shorter one. */
const within = (wanted: number, length: number, whole: number): number =>
  length > whole ? (whole - length) / 2 : Math.min(Math.max(wanted, 0), whole - length);
