/**
 * Finds an eye on a picture without a whole face: proposals, refinement, then many inference passes at the
 * best places.
 */
import { anchorsOf, SHORT_RANGE_GRIDS } from '@karaar/faces/anchors';
import {
  disagreement,
  gatherEvidence,
  hypothesesOf,
  scanWindows,
  viewsOf,
  windowAround,
  windowsAtEyes,
  type Evidence,
  type Hypothesis,
  type Pass,
  type Proposal,
} from '../rules/evidence.ts';
import { faceSupport, mayBeOpen, MOST_SUPPORT, openEyeScore, windowsOfFaces } from '../rules/open-eye.ts';
import { REGION_INPUT } from '../rules/region.ts';
import { decodeDetections } from '@karaar/faces/detection';
import { distance, type Point } from '@karaar/faces/geometry';
import { pointsOf, type Window } from '../rules/window.ts';
import { contrastOf, EYE_SIDE, whiteContrastOf } from './contrast.ts';
import type { Picture } from './picture.ts';
import { copyOf, REDUCED_SIDE } from './sizes.ts';
import { buildPyramid, sampleWindow, type Pyramid } from './pyramid.ts';
import { presenceOf, type Models } from './sessions.ts';

/**
 * Long side of the working copy: an eye needs 43 pixels for the model. The detectors' copy usually serves.
 */
const WORKING_SIDE = REDUCED_SIDE;
const SHORT_SIDE = 128;
const SHORT_ANCHORS = anchorsOf(SHORT_RANGE_GRIDS);
/**
 * Shares of the face detector's input that the picture takes, as if more of the face were around it. The
 * detector has already seen it at full size.
 */
const SHRINKS = [0.6, 0.42];
/** A face guessed only from its eyes scores low, which is enough for a proposal. */
const MIN_PROPOSAL_SCORE = 0.15;
const PROPOSALS_PER_SHRINK = 2;
const REFINEMENTS = 2;
/** The number of best places that are refined, and of those that are examined. */
const FIRST_STAGE = { hypotheses: 4, places: 2 };
const LAST_STAGE = { hypotheses: 4, places: 2 };
/**
 * Share of pixels that count as the brightest, the value they should reach (green, 0 to 255), and the largest
 * brightening factor.
 */
const BRIGHTEST = 0.02;
const BRIGHT_ENOUGH = 180;
const MOST_BRIGHTENED = 4;

/** Returns evidence at the best places, the most eye-like first. The search stops at the first open eye. */
export async function observeCloseup(picture: Picture, models: Models): Promise<Evidence[]> {
  const factor = Math.max(picture.width, picture.height) / WORKING_SIDE;
  const pyramid = buildPyramid(brightened(await copyOf(picture, WORKING_SIDE)));
  const collected: Evidence[] = [];
  const examined: Window[] = [];
  let proposals: Proposal[] = [];
  for (const { windows, ...kept } of stagesOf(pyramid[0], await guessFaces(pyramid, models))) {
    proposals = [...proposals, ...(await propose(pyramid, models, windows))];
    const hypotheses = hypothesesOf(proposals, pyramid[0], kept.hypotheses);
    for (const place of await refine(pyramid, models, hypotheses, kept.places)) {
      if (examined.some((window) => isSamePlace(window, place.window))) continue;
      examined.push(place.window);
      const evidence = await examine(pyramid, models, place);
      collected.push(scaled(evidence, factor));
      if (openEyeScore(evidence) > 0) return byScore(collected);
    }
  }
  return byScore(collected);
}

const byScore = (evidence: Evidence[]): Evidence[] =>
  evidence.sort((a, b) => openEyeScore(b) - openEyeScore(a));

/** A window for the model: plain and mirrored, or only one of the two. */
interface Suggestion {
  window: Window;
  ways: 'both' | 'plain' | 'mirrored';
  weight: number;
}

/** Returns the likeliest windows first, and the small ones for the case that no eye is found there. */
function stagesOf(
  picture: Picture,
  guessed: readonly Suggestion[],
): { windows: Suggestion[]; hypotheses: number; places: number }[] {
  // Scan windows overlap: every second one shows the eye as the model expects it, so its vote counts for its
  // neighbour too.
  const suggest = (windows: readonly Window[]): Suggestion[] =>
    windows.map((window, i) => ({ window, ways: i % 2 === 0 ? 'plain' : 'mirrored', weight: 2 }));
  const scans = scanWindows(picture);
  const [large, small] = [scans.slice(0, -1).flat(), scans.slice(-1).flat()];
  return [
    { windows: [...guessed, ...suggest(large)], ...FIRST_STAGE },
    { windows: suggest(small), ...LAST_STAGE },
  ];
}

/** Brightens a dark picture, because the models were trained on daylight. */
function brightened(picture: Picture): Picture {
  const { rgb } = picture;
  const counts = new Uint32Array(256);
  for (let i = 1; i < rgb.length; i += 3) counts[rgb[i] as number] = (counts[rgb[i] as number] as number) + 1;
  let [bright, above] = [255, 0];
  while (bright > 0 && (above += counts[bright] as number) < (rgb.length / 3) * BRIGHTEST) bright--;
  if (bright >= BRIGHT_ENOUGH) return picture;
  const factor = Math.min(MOST_BRIGHTENED, BRIGHT_ENOUGH / Math.max(1, bright));
  const brighter = Uint8Array.from(counts, (_, value) => Math.min(255, value * factor));
  const out = new Uint8Array(rgb.length);
  for (let i = 0; i < rgb.length; i++) out[i] = brighter[rgb[i] as number] as number;
  return { ...picture, rgb: out };
}

async function propose(
  pyramid: Pyramid,
  models: Models,
  suggestions: readonly Suggestion[],
): Promise<Proposal[]> {
  const shown = suggestions.flatMap(({ window, ways, weight }) =>
    SIDES.filter((side) => ways === 'both' || ways === side).map((side) => ({
      view: { window, mirrored: side === 'mirrored' },
      weight,
      own: ways === 'both' ? weight : 1,
    })),
  );
  const seen = await pass(
    pyramid,
    models,
    shown.map(({ view }) => view),
  );
  return shown.flatMap(({ weight, own }, i) => {
    const one = seen[i];
    return one ? [{ pass: one, weight, own }] : [];
  });
}
const SIDES = ['plain', 'mirrored'] as const;

async function guessFaces(pyramid: Pyramid, models: Models): Promise<Suggestion[]> {
  const [picture] = pyramid;
  const guessed: Suggestion[] = [];
  for (const shrink of SHRINKS) {
    const size = Math.max(picture.width, picture.height) / shrink;
    // Eyes are above the middle of a face.
    const centre = { x: picture.width / 2, y: picture.height / 2 + 0.1 * picture.width };
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
      for (const window of windowsAtEyes(keypoints, picture))
        guessed.push({ window, ways: 'both', weight: 1 + 2 * score });
  }
  return guessed;
}

interface Place {
  window: Window;
  votes: number;
  passes: readonly [Pass, Pass];
}

async function refine(
  pyramid: Pyramid,
  models: Models,
  hypotheses: readonly Hypothesis[],
  atMost: number,
): Promise<Place[]> {
  let current = [...hypotheses];
  for (let i = 0; i < REFINEMENTS; i++) {
    const passes = await pass(pyramid, models, current.map(sameSide));
    current = current.map((hypothesis, k) => {
      const seen = passes[k] ?? hypothesis.pass;
      return { ...hypothesis, pass: seen, next: windowAround(seen.contour) };
    });
  }
  const passes = await pass(pyramid, models, [...current.map(sameSide), ...current.map(otherSide)]);
  const settled = current
    .flatMap(({ next, votes }, k) => {
      const [a, b] = [passes[k], passes[current.length + k]];
      if (!a || !b) return [];
      const both: Place['passes'] = a.mirrored ? [b, a] : [a, b];
      return [{ window: next, votes, passes: both, differs: disagreement(a, b) }];
    })
    .sort((a, b) => a.differs - b.differs);
  const places: Place[] = [];
  for (const place of settled) {
    if (places.length >= atMost) break;
    if (!places.some((kept) => isSamePlace(kept.window, place.window))) places.push(place);
  }
  return places;
}

function isSamePlace(a: Window, b: Window): boolean {
  return distance(a.centre, b.centre) < 0.15 * a.width;
}

interface View {
  window: Window;
  mirrored: boolean;
}

const sameSide = ({ next, pass }: Hypothesis): View => ({ window: next, mirrored: pass.mirrored });
const otherSide = ({ next, pass }: Hypothesis): View => ({ window: next, mirrored: !pass.mirrored });
const bothWays = (windows: readonly Window[]): View[] =>
  [false, true].flatMap((mirrored) => windows.map((window) => ({ window, mirrored })));

async function examine(
  pyramid: Pyramid,
  models: Models,
  { window, votes, passes: [first, mirrored] }: Place,
): Promise<Evidence> {
  // The first window already had its passes.
  const [, ...others] = viewsOf(window);
  const passes = [first, mirrored, ...(await pass(pyramid, models, bothWays(others)))];
  const contrasts = { contrast: contrastOf(pyramid[0], first), white: whiteContrastOf(pyramid[0], passes) };
  const evidence = gatherEvidence(passes, contrasts, votes);
  return mayBeOpen(evidence) ? { ...evidence, face: await supportOf(evidence, pyramid, models) } : evidence;
}

/**
 * Gets a second opinion: the landmark model's presence where the face of this eye would be, on either side.
 */
async function supportOf(evidence: Evidence, pyramid: Pyramid, models: Models): Promise<number> {
  const rgb = new Uint8Array(REGION_INPUT ** 2 * 3);
  const presence: number[] = [];
  for (const window of windowsOfFaces(evidence.corners)) {
    sampleWindow(pyramid, window, REGION_INPUT, false, rgb);
    presence.push(presenceOf(await models.run('landmark', rgb)));
    // More than the maximum does not count, so the other side need not run.
    if (faceSupport(presence, evidence, pyramid[0]) >= MOST_SUPPORT) break;
  }
  return faceSupport(presence, evidence, pyramid[0]);
}

async function pass(pyramid: Pyramid, models: Models, views: readonly View[]): Promise<Pass[]> {
  if (views.length === 0) return [];
  const size = EYE_SIDE ** 2 * 3;
  const rgb = new Uint8Array(views.length * size);
  views.forEach(({ window, mirrored }, i) =>
    sampleWindow(pyramid, window, EYE_SIDE, mirrored, rgb.subarray(i * size, (i + 1) * size)),
  );
  const output = await models.run('eye', rgb, views.length);
  const [contours, irises] = [output('contour'), output('iris')];
  return views.map(({ window, mirrored }, i) => ({
    window,
    mirrored,
    contour: pointsOf(contours.subarray(i * 142, (i + 1) * 142), window, EYE_SIDE, mirrored),
    iris: pointsOf(irises.subarray(i * 10, (i + 1) * 10), window, EYE_SIDE, mirrored),
  }));
}

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
