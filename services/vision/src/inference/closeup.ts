/** Looks for an eye on a picture without a whole face: proposals, refinement, then many looks at the best places. */
import { anchorsOf, SHORT_RANGE_GRIDS } from '@karaar/faces/anchors';
import {
  cornersOf,
  disagreement,
  gatherEvidence,
  hypothesesOf,
  openEyeScore,
  scanWindows,
  viewsOf,
  windowAround,
  windowsAtEyes,
  type Evidence,
  type Hypothesis,
  type Look,
} from '../features/validation/closeup.ts';
import { decodeDetections } from '@karaar/faces/detection';
import { distance, type Point } from '@karaar/faces/geometry';
import { pointsOf, type Window } from '../features/validation/window.ts';
import { resize, type Picture } from './picture.ts';
import { buildPyramid, sampleWindow, type Pyramid } from './pyramid.ts';
import type { Models } from './sessions.ts';

/** Long side of the copy that is looked at: an eye needs 43 pixels for the model. */
const WORKING_SIDE = 288;
const EYE_SIDE = 64;
const SHORT_SIDE = 128;
const SHORT_ANCHORS = anchorsOf(SHORT_RANGE_GRIDS);
/** The picture shown to the face detector as if more of the face were around it, at these shares of the input. */
const SHRINKS = [1, 0.6, 0.42];
/** A face guessed from its eyes alone scores low; as a proposal that is enough. */
const MIN_PROPOSAL_SCORE = 0.15;
const PROPOSALS_PER_SHRINK = 2;
const HYPOTHESES = 6;
const REFINEMENTS = 2;
const PLACES = 3;
/** The brightest part of a picture, what it should at least measure (green, 0 to 255), and the limit of helping. */
const BRIGHTEST = 0.02;
const BRIGHT_ENOUGH = 180;
const MOST_BRIGHTENED = 4;
/** Where the iris and what lies beside it are looked at, in radii of the iris. */
const IRIS_INSIDE = 0.6;
const BESIDE_IRIS = [1.25, 1.5, 1.75];
/** Not farther towards a corner of the eye than this share of the way. */
const NEAR_CORNER = 0.92;

/** Evidence at the best places, the most eye-like first; looking ends at the first open eye. */
export async function observeCloseup(picture: Picture, models: Models): Promise<Evidence[]> {
  const factor = Math.max(picture.width, picture.height) / WORKING_SIDE;
  const copy = await resize(picture, Math.round(picture.width / factor), Math.round(picture.height / factor));
  const pyramid = await buildPyramid(brightened(copy));
  const hypotheses = await propose(pyramid, models);
  const places = await refine(pyramid, models, hypotheses);
  const gathered: Evidence[] = [];
  for (const place of places) {
    const evidence = await examine(pyramid, models, place);
    gathered.push(scaled(evidence, factor));
    if (openEyeScore(evidence) > 0) break;
  }
  return gathered.sort((a, b) => openEyeScore(b) - openEyeScore(a));
}

/** A dark picture as bright as others: the models were trained on daylight. */
function brightened(picture: Picture): Picture {
  const { rgb } = picture;
  const counts = new Uint32Array(256);
  for (let i = 1; i < rgb.length; i += 3) counts[rgb[i] as number] = (counts[rgb[i] as number] as number) + 1;
  let [bright, above] = [255, 0];
  while (bright > 0 && (above += counts[bright] as number) < (rgb.length / 3) * BRIGHTEST) bright--;
  if (bright >= BRIGHT_ENOUGH) return picture;
  const factor = Math.min(MOST_BRIGHTENED, BRIGHT_ENOUGH / Math.max(1, bright));
  return { ...picture, rgb: rgb.map((value) => Math.min(255, value * factor)) };
}

async function propose(pyramid: Pyramid, models: Models): Promise<Hypothesis[]> {
  const [picture] = pyramid;
  const guessed = await guessFaces(pyramid, models);
  const windows = [...guessed.map(({ window }) => window), ...scanWindows(picture)];
  const looks = [
    ...(await look(pyramid, models, windows, false)),
    ...(await look(pyramid, models, windows, true)),
  ];
  const weightOf = (index: number): number => 1 + 2 * (guessed[index % windows.length]?.score ?? 0);
  return hypothesesOf(looks, weightOf, picture, HYPOTHESES);
}

/** Eyes of faces that the detector guesses around the picture. */
async function guessFaces(pyramid: Pyramid, models: Models): Promise<{ window: Window; score: number }[]> {
  const [picture] = pyramid;
  const guessed: { window: Window; score: number }[] = [];
  for (const shrink of SHRINKS) {
    const size = Math.max(picture.width, picture.height) / shrink;
    // Eyes stand above the middle of a face.
    const lowered = shrink < 1 ? 0.1 * picture.width : 0;
    const centre = { x: picture.width / 2, y: picture.height / 2 + lowered };
    const rgb = new Uint8Array(SHORT_SIDE ** 2 * 3);
    sampleWindow(pyramid, { centre, width: size, height: size, turn: 0 }, SHORT_SIDE, false, rgb);
    const output = await models.run('short', rgb);
    const scale = SHORT_SIDE / size;
    const fit = {
      size: SHORT_SIDE,
      scale,
      offsetX: SHORT_SIDE / 2 - centre.x * scale,
      offsetY: SHORT_SIDE / 2 - centre.y * scale,
    };
    const raw = { boxes: output('boxes'), scores: output('scores') };
    const faces = decodeDetections(raw, SHORT_ANCHORS, fit, MIN_PROPOSAL_SCORE);
    for (const { keypoints, score } of faces.slice(0, PROPOSALS_PER_SHRINK))
      for (const window of windowsAtEyes(keypoints, picture)) guessed.push({ window, score });
  }
  return guessed;
}

interface Place {
  window: Window;
  votes: number;
}

/** Follows each hypothesis to where its contour settles; the places where plain and mirrored agree best. */
async function refine(pyramid: Pyramid, models: Models, hypotheses: readonly Hypothesis[]): Promise<Place[]> {
  let current = [...hypotheses];
  for (let i = 0; i < REFINEMENTS; i++) {
    const looks = await lookAtEach(pyramid, models, current, (mirrored) => mirrored);
    current = current.map((hypothesis, k) => {
      const seen = looks[k] ?? hypothesis.look;
      return { ...hypothesis, look: seen, next: windowAround(seen.contour) };
    });
  }
  const plain = await lookAtEach(pyramid, models, current, (mirrored) => mirrored);
  const other = await lookAtEach(pyramid, models, current, (mirrored) => !mirrored);
  const settled = current
    .flatMap(({ next, votes }, k) => {
      const [a, b] = [plain[k], other[k]];
      return a && b ? [{ window: next, votes, differs: disagreement(a, b) }] : [];
    })
    .sort((a, b) => a.differs - b.differs);
  const places: Place[] = [];
  for (const place of settled) {
    if (places.length >= PLACES) break;
    if (!places.some((kept) => isSamePlace(kept.window, place.window))) places.push(place);
  }
  return places;
}

function isSamePlace(a: Window, b: Window): boolean {
  return distance(a.centre, b.centre) < 0.15 * a.width;
}

/** One look per hypothesis, in two batches. */
async function lookAtEach(
  pyramid: Pyramid,
  models: Models,
  hypotheses: readonly Hypothesis[],
  side: (mirrored: boolean) => boolean,
): Promise<Look[]> {
  const looks: Look[] = [];
  for (const mirrored of [false, true]) {
    const indices = [...hypotheses.keys()].filter(
      (i) => side(hypotheses[i]?.look.mirrored === true) === mirrored,
    );
    const windows = indices.flatMap((i) => hypotheses[i]?.next ?? []);
    const seen = await look(pyramid, models, windows, mirrored);
    indices.forEach((i, k) => {
      const one = seen[k];
      if (one) looks[i] = one;
    });
  }
  return looks;
}

async function examine(pyramid: Pyramid, models: Models, { window, votes }: Place): Promise<Evidence> {
  const views = viewsOf(window);
  const plain = await look(pyramid, models, views, false);
  const mirrored = await look(pyramid, models, views, true);
  const [first] = plain;
  if (!first) throw new Error('Views give looks');
  const looks = [...plain, ...mirrored];
  const contrasts = { contrast: contrastOf(pyramid, first), white: whiteContrastOf(pyramid, looks) };
  return gatherEvidence(looks, contrasts, votes);
}

/** Shows windows to the eye model, all in one run. */
async function look(
  pyramid: Pyramid,
  models: Models,
  windows: readonly Window[],
  mirrored: boolean,
): Promise<Look[]> {
  if (windows.length === 0) return [];
  const size = EYE_SIDE ** 2 * 3;
  const rgb = new Uint8Array(windows.length * size);
  windows.forEach((window, i) =>
    sampleWindow(pyramid, window, EYE_SIDE, mirrored, rgb.subarray(i * size, (i + 1) * size)),
  );
  const output = await models.run('eye', rgb, windows.length);
  const [contours, irises] = [output('contour'), output('iris')];
  return windows.map((window, i) => ({
    window,
    mirrored,
    contour: pointsOf(contours.subarray(i * 142, (i + 1) * 142), window, EYE_SIDE, mirrored),
    iris: pointsOf(irises.subarray(i * 10, (i + 1) * 10), window, EYE_SIDE, mirrored),
  }));
}

/** How much darker the iris is than a ring outside the lids: its middle luma against the ring's. */
function contrastOf(pyramid: Pyramid, { contour, iris }: Look): number {
  const [picture] = pyramid;
  const { centre, radius } = discOf(iris);
  const disc = lumasIn(picture, centre, radius, 0.7);
  const lids = contour.slice(0, 16);
  const middle = {
    x: lids.reduce((sum, { x }) => sum + x, 0) / lids.length,
    y: lids.reduce((sum, { y }) => sum + y, 0) / lids.length,
  };
  const reach = windowAround(contour).height * (6 / EYE_SIDE);
  const ring = lids.map(({ x, y }) =>
    lumaAt(picture, { x: middle.x + (x - middle.x) * 1.1, y: y + Math.sign(y - middle.y || 1) * reach }),
  );
  const [inside, outside] = [median(disc), median(ring)];
  return (outside - inside) / (outside + 10);
}

/**
 * How much darker the iris is than what lies beside it between the lids, on its better side: the white of an open
 * eye, the same skin on a closed one. The mean of all looks.
 */
function whiteContrastOf(pyramid: Pyramid, looks: readonly Look[]): number {
  const [picture] = pyramid;
  const contrasts = looks.map(({ contour, iris }) => {
    const { centre, radius } = discOf(iris);
    const inside = median(lumasIn(picture, centre, radius, IRIS_INSIDE));
    const beside = Math.max(...cornersOf(contour).map((corner) => besideOf(picture, centre, radius, corner)));
    return (beside - inside) / (beside + 10);
  });
  return contrasts.reduce((sum, contrast) => sum + contrast, 0) / contrasts.length;
}

/** Middle luma on the way from the iris' edge to a corner of the eye. */
function besideOf(picture: Picture, centre: Point, radius: number, corner: Point): number {
  const length = distance(centre, corner);
  if (length === 0) return lumaAt(picture, centre);
  const lumas = BESIDE_IRIS.map((reach) => {
    const share = Math.min(reach * radius, NEAR_CORNER * length) / length;
    return lumaAt(picture, {
      x: centre.x + (corner.x - centre.x) * share,
      y: centre.y + (corner.y - centre.y) * share,
    });
  });
  return median(lumas);
}

function discOf(iris: readonly Point[]): { centre: Point; radius: number } {
  const [centre, right, upper, left, lower] = iris;
  if (!centre || !right || !upper || !left || !lower) throw new Error('An iris has five points');
  return { centre, radius: (distance(right, left) + distance(upper, lower)) / 4 };
}

/** Lumas within a share of a disc's radius. */
function lumasIn(picture: Picture, centre: Point, radius: number, share: number): number[] {
  const lumas: number[] = [];
  for (let y = -share; y <= share; y += 0.2)
    for (let x = -share; x <= share; x += 0.2)
      if (x * x + y * y <= share * share)
        lumas.push(lumaAt(picture, { x: centre.x + x * radius, y: centre.y + y * radius }));
  return lumas;
}

function lumaAt({ rgb, width, height }: Picture, { x, y }: Point): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x - 0.5)));
  const row = Math.min(height - 1, Math.max(0, Math.round(y - 0.5)));
  const at = (row * width + column) * 3;
  return 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Places on the working copy as places on the picture. */
function scaled(evidence: Evidence, factor: number): Evidence {
  const { box, lids, corners } = evidence;
  const out = ({ x, y }: Point): Point => ({ x: x * factor, y: y * factor });
  return {
    ...evidence,
    box: {
      left: box.left * factor,
      top: box.top * factor,
      right: box.right * factor,
      bottom: box.bottom * factor,
    },
    lids: lids.map(out),
    corners: [out(corners[0]), out(corners[1])],
  };
}
