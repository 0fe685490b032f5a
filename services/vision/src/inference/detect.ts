/** Where on a picture faces may be: two detectors, on the whole picture in several ways. */
import { anchorsOf, FULL_RANGE_GRIDS, SHORT_RANGE_GRIDS } from '@karaar/faces/anchors';
import { decodeDetections, mergeDetections, type Detection } from '@karaar/faces/detection';
import { boundsOf, widthOf, type Point } from '@karaar/faces/geometry';
import type { Picture } from './picture.ts';
import { letterbox, reduce } from './sizes.ts';
import type { Models } from './sessions.ts';

interface Detector {
  model: 'short' | 'full';
  /** Side of its input. */
  size: number;
  anchors: readonly Point[];
}

/** Faces near the camera, in a quarter of the other one's time. */
const NEAR: Detector = { model: 'short', size: 128, anchors: anchorsOf(SHORT_RANGE_GRIDS) };
/** Faces farther away too. */
const FAR: Detector = { model: 'full', size: 192, anchors: anchorsOf(FULL_RANGE_GRIDS) };

/** One way to show the picture to the detectors. */
interface Showing {
  /** Share of the input that the picture's longer side takes; below 1 for faces larger than the frame. */
  share: number;
  /** Quarter turns, clockwise, for pictures whose orientation was lost. */
  quarters: 0 | 1 | 2 | 3;
}

/** As the picture is: finds nearly all. */
const FIRST: Showing = { share: 1, quarters: 0 };
/** What is tried, one after the other, on a picture in which nothing was found. */
const FURTHER: readonly Showing[] = [
  { share: 0.55, quarters: 0 },
  { share: 1, quarters: 1 },
  { share: 1, quarters: 3 },
  { share: 1, quarters: 2 },
];

/** Candidates of one showing after the other; ask for the next only when these did not hold. */
export async function* detectFaces(
  picture: Picture,
  models: Models,
): AsyncGenerator<{ candidates: Detection[]; further: boolean }> {
  const fit = await fitterOf(picture);
  for (const showing of [FIRST, ...FURTHER]) {
    const near = await look(NEAR, fit, models, showing);
    const faces = near.above();
    const asksFar = showing === FIRST || near.above(HINT).length > 0;
    const far = asksFar ? (await look(FAR, fit, models, showing)).above() : [];
    yield { candidates: mergeDetections(far, faces), further: showing !== FIRST };
  }
}

/**
 * Candidates for the face that a photo of eyes may show, of both detectors. Where the quicker one is sure of nothing and sees
 * no hint of a face that is too small for it, its own come first, the slower one last, and whoever asked looks for a close-up in
 * between: one that fills the picture looks to the quicker one like a doubtful face as large as the picture (docs/vision.md).
 */
export async function* detectFace(
  picture: Picture,
  models: Models,
): AsyncGenerator<{ candidates: Detection[]; unlikely: boolean }> {
  const fit = await fitterOf(picture);
  const near = await look(NEAR, fit, models, FIRST);
  const faces = near.above();
  const isLikely = near
    .above(HINT)
    .some(({ box, score }) => score >= SURE || widthOf(box) < SMALL_FACE * near.longerSide);
  if (!isLikely) yield { candidates: faces, unlikely: true };
  const far = await look(FAR, fit, models, FIRST);
  yield { candidates: mergeDetections(far.above(), faces), unlikely: false };
}

async function fitterOf(picture: Picture): Promise<Fitter> {
  const reduced = await reduce(picture);
  const fitted = new Map<string, ReturnType<typeof letterbox>>();
  return (size, share) => {
    const known = fitted.get(`${size} ${share}`) ?? letterbox(reduced, picture, size, share);
    fitted.set(`${size} ${share}`, known);
    return known;
  };
}

/** The picture letterboxed to a size and share, made once. */
type Fitter = (size: number, share: number) => ReturnType<typeof letterbox>;

/**
 * From this score on something may be a face: where only the second detector finds one, the first one gives 0.21 at least
 * (docs/vision.md).
 */
const HINT = 0.18;
/** As sure as this the first detector is of faces, not of what fills the picture. */
const SURE = 0.75;
/** Where only the second one finds a face, the first one's best guess is mostly less than this share of the longer side wide. */
const SMALL_FACE = 0.45;

/** What one detector sees: faces that score at least so much, and the picture's longer side. */
interface Seen {
  above: (score?: number) => Detection[];
  longerSide: number;
}

async function look(
  { model, size, anchors }: Detector,
  fitter: Fitter,
  models: Models,
  { share, quarters }: Showing,
): Promise<Seen> {
  const { rgb, fit } = await fitter(size, share);
  const output = await models.run(model, turned(rgb, size, quarters));
  const raw = { boxes: output('boxes'), scores: output('scores') };
  const longerSide = (size * share) / fit.scale;
  if (quarters === 0) return { above: (score) => decodeDetections(raw, anchors, fit, score), longerSide };
  const asItIs = { size, scale: 1, offsetX: 0, offsetY: 0 };
  const back = (point: Point): Point => {
    const { x, y } = unturned(point, size, quarters);
    return { x: (x - fit.offsetX) / fit.scale, y: (y - fit.offsetY) / fit.scale };
  };
  const above = (score?: number): Detection[] =>
    decodeDetections(raw, anchors, asItIs, score).map(({ box, score, keypoints }) => ({
      score,
      box: boundsOf([back({ x: box.left, y: box.top }), back({ x: box.right, y: box.bottom })]),
      keypoints: keypoints.map(back),
    }));
  return { above, longerSide };
}

/** A square picture turned clockwise. */
function turned(rgb: Uint8Array, size: number, quarters: Showing['quarters']): Uint8Array {
  if (quarters === 0) return rgb;
  const out = new Uint8Array(rgb.length);
  // From the place of the first pixel, so many bytes on for the next column and the next row.
  const last = size - 1;
  const [start, column, row] = {
    1: [last * size, -size, 1],
    2: [last * size + last, -1, -size],
    3: [last, size, -1],
  }[quarters] as [number, number, number];
  for (let y = 0, o = 0; y < size; y++) {
    let from = (start + y * row) * 3;
    for (let x = 0; x < size; x++, from += column * 3) {
      out[o++] = rgb[from] as number;
      out[o++] = rgb[from + 1] as number;
      out[o++] = rgb[from + 2] as number;
    }
  }
  return out;
}

/** Where a point of the turned square was before. */
function unturned({ x, y }: Point, size: number, quarters: Showing['quarters']): Point {
  switch (quarters) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: size - x };
    case 2:
      return { x: size - x, y: size - y };
    case 3:
      return { x: size - y, y: x };
  }
}
