/** Finds candidate faces on the whole picture, with two detectors and several transformations. */
import { anchorsOf, FULL_RANGE_GRIDS, SHORT_RANGE_GRIDS } from '@karaar/faces/anchors';
import { decodeDetections, mergeDetections, type Detection } from '@karaar/faces/detection';
import { boundsOf, widthOf, type Point } from '@karaar/faces/geometry';
import type { Picture } from './picture.ts';
import { letterbox, reduce } from './sizes.ts';
import type { Models } from './sessions.ts';

interface Detector {
  model: 'short' | 'full';
  size: number;
  anchors: readonly Point[];
}

/** Finds faces near the camera, in a quarter of the other detector's time. */
const NEAR: Detector = { model: 'short', size: 128, anchors: anchorsOf(SHORT_RANGE_GRIDS) };
/** Also finds faces farther away. */
const FAR: Detector = { model: 'full', size: 192, anchors: anchorsOf(FULL_RANGE_GRIDS) };

interface Showing {
  /** Share of the input that the picture's longer side takes; below 1 for faces larger than the frame. */
  share: number;
  /** Clockwise quarter turns, for pictures that lost their orientation. */
  quarters: 0 | 1 | 2 | 3;
}

/** The unchanged picture, in which nearly all faces are found. */
const FIRST: Showing = { share: 1, quarters: 0 };
const FURTHER: readonly Showing[] = [
  { share: 0.55, quarters: 0 },
  { share: 1, quarters: 1 },
  { share: 1, quarters: 3 },
  { share: 1, quarters: 2 },
];

/**
 * Yields the candidates of one transformation after the other. Take the next only if these were not
 * confirmed.
 */
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
 * Yields candidates of both detectors for the face that an eye photo may show. If the faster detector is
 * unsure and has no hint of a face too small for it, its candidates come first and the slower detector runs
 * last, so that the caller can try a close-up in between: to the faster detector, an eye that fills the
 * picture looks like a doubtful face of the picture's size (docs/vision.md).
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

type Fitter = (size: number, share: number) => ReturnType<typeof letterbox>;

/**
 * Minimum score of a possible face: if only the second detector finds a face, the first one scores at least
 * 0.21 (docs/vision.md).
 */
const HINT = 0.18;
/** Minimum score at which the first detector's face is not just something that fills the picture. */
const SURE = 0.75;
/**
 * If only the second detector finds a face, the first one's best guess is mostly narrower than this share of
 * the longer side.
 */
const SMALL_FACE = 0.45;

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

function turned(rgb: Uint8Array, size: number, quarters: Showing['quarters']): Uint8Array {
  if (quarters === 0) return rgb;
  const out = new Uint8Array(rgb.length);
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
