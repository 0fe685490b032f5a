/** Looks for an eye on a picture without a whole face: proposals, refinement, then many looks at the best places. */
import { anchorsOf, SHORT_RANGE_GRIDS } from '../features/validation/anchors.ts';
import {
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
import { decodeDetections } from '../features/validation/detection.ts';
import { distance, type Point } from '../features/validation/geometry.ts';
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

/** Evidence at the best places, the most eye-like first; looking ends at the first open eye. */
export async function observeCloseup(picture: Picture, models: Models): Promise<Evidence[]> {
  const factor = Math.max(picture.width, picture.height) / WORKING_SIDE;
  const copy = await resize(picture, Math.round(picture.width / factor), Math.round(picture.height / factor));
  const pyramid = await buildPyramid(copy);
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
  return gatherEvidence([...plain, ...mirrored], contrastOf(pyramid, first), votes);
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
  const [centre, right, upper, left, lower] = iris;
  if (!centre || !right || !upper || !left || !lower) throw new Error('An iris has five points');
  const radius = (distance(right, left) + distance(upper, lower)) / 4;
  const disc: number[] = [];
  for (let y = -0.7; y <= 0.7; y += 0.2)
    for (let x = -0.7; x <= 0.7; x += 0.2)
      if (x * x + y * y <= 0.5)
        disc.push(lumaAt(picture, { x: centre.x + x * radius, y: centre.y + y * radius }));
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
  const { box, lids } = evidence;
  return {
    ...evidence,
    box: {
      left: box.left * factor,
      top: box.top * factor,
      right: box.right * factor,
      bottom: box.bottom * factor,
    },
    lids: lids.map(({ x, y }) => ({ x: x * factor, y: y * factor })),
  };
}
