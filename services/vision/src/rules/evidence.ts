/**
 * Decides whether a picture without a whole face shows an open eye. The eye model draws a contour on any
 * input. On an eye the contour is the same wherever the window is, mirrored or not; on anything else it
 * follows the window. So agreement between passes indicates an eye, and the contour then shows whether it is
 * open. docs/vision.md has the reasons and figures.
 */
import { eyeShape, LID_POINTS } from './eye.ts';
import { boundsOf, distance, type Point, type Rect, type Size } from '@karaar/faces/geometry';
import { nudge, type Window } from './window.ts';

export interface Pass {
  window: Window;
  /** True if the window was shown with left and right swapped. */
  mirrored: boolean;
  /** 71 points in pixels of the picture. */
  contour: readonly Point[];
  /** Middle of the iris, then its right, upper, left and lower edge. */
  iris: readonly Point[];
}

export interface Hypothesis {
  pass: Pass;
  /** The next window to show: the contour's own box with a margin. */
  next: Window;
  votes: number;
}

/** The window is larger than the contour's box by this factor, as in the model's training. */
const WINDOW_MARGIN = 1.5;
/** Minimum width of an eye in a close-up, as a share of the picture's longer side. */
const MIN_EYE_SHARE = 0.07;
/** Largest scan window, by the longer and the shorter side, and the factors of the smaller ones. */
const SCAN_LARGEST = { ofLonger: 1.75, ofShorter: 3.2 };
const SCAN_SHRINKS = [1, 0.71, 0.5, 0.34];
const SCAN_HEIGHT = 0.9;
/** A window wider than the longer side by this factor shows an eye that fills the picture. */
const BEYOND_PICTURE = 1.3;
/** Step between windows in shares of their size. */
const SCAN_STEP = 0.42;

/** Returns windows all over the picture: one list per size, the largest first. */
export function scanWindows({ width, height }: Size): Window[][] {
  const largest = Math.min(
    SCAN_LARGEST.ofLonger * Math.max(width, height),
    SCAN_LARGEST.ofShorter * Math.min(width, height),
  );
  return SCAN_SHRINKS.map((shrink) => {
    const size = largest * shrink;
    const columns = places(width, size);
    return places(height, size).flatMap((y) =>
      columns.map((x) => ({ centre: { x, y }, width: size, height: size * SCAN_HEIGHT, turn: 0 })),
    );
  });
}

function places(length: number, size: number): number[] {
  const from = Math.min(length / 2, size * 0.35);
  const range = length - 2 * from;
  const steps = Math.ceil(range / (SCAN_STEP * size) - 1e-9);
  if (steps <= 0) return [length / 2];
  return Array.from({ length: steps + 1 }, (_, i) => from + (range * i) / steps);
}

/** Returns windows around the eyes of a guessed face (its first two keypoints are the eyes). */
export function windowsAtEyes(keypoints: readonly Point[], picture: Size): Window[] {
  const [a, b] = keypoints;
  if (!a || !b) return [];
  const apart = distance(a, b);
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  return [a, b]
    .filter(({ x, y }) => isNear(x, picture.width) && isNear(y, picture.height))
    .map((centre) => ({ centre, width: apart * 0.95, height: apart * 0.85, turn }));
}

function isNear(place: number, length: number): boolean {
  return place > -0.1 * length && place < 1.1 * length;
}

/** Returns the window in which the model should see the same eye again. */
export function windowAround(contour: readonly Point[]): Window {
  const [a, b] = cornersOf(contour);
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const upright = contour.map(({ x, y }) => ({ x: x * cos + y * sin, y: y * cos - x * sin }));
  const { left, top, right, bottom } = boundsOf(upright);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return {
    centre: { x: x * cos - y * sin, y: x * sin + y * cos },
    width: (right - left) * WINDOW_MARGIN,
    height: (bottom - top) * WINDOW_MARGIN,
    turn,
  };
}

/** Returns the corners of the eye, the left one on the picture first. */
export function cornersOf(contour: readonly Point[]): [Point, Point] {
  const [a, b] = [contour[0], contour[8]];
  if (!a || !b) throw new Error(`An eye contour has at least ${LID_POINTS} points`);
  return a.x <= b.x ? [a, b] : [b, a];
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** The result of one pass, and the weight of its vote for other places and for its own. */
export interface Proposal {
  pass: Pass;
  weight: number;
  own: number;
}

/**
 * Returns the places that most passes agree on, each once. The best one from a window larger than the picture
 * comes first: there are only one or two such windows but dozens of small ones, which would outvote an eye
 * that fills the picture.
 */
export function hypothesesOf(proposals: readonly Proposal[], picture: Size, atMost: number): Hypothesis[] {
  const minWidth = MIN_EYE_SHARE * Math.max(picture.width, picture.height);
  const voices = proposals
    .map((proposal) => {
      const [a, b] = cornersOf(proposal.pass.contour);
      return { ...proposal, at: middle(a, b), width: distance(a, b) };
    })
    .filter(({ at, width }) => width > minWidth && isOn(at, picture));
  const ranked = voices
    .map((voice) => {
      const voiceOf = (other: typeof voice): number => (other === voice ? other.own : other.weight);
      const votes = voices.reduce((sum, other) => sum + voiceOf(other) * agreement(voice, other), 0);
      return { ...voice, votes };
    })
    .sort((a, b) => b.votes - a.votes);
  const beyond = BEYOND_PICTURE * Math.max(picture.width, picture.height);
  const widest = ranked.find(({ pass }) => pass.window.width >= beyond);
  const kept: typeof ranked = [];
  for (const voice of widest ? [widest, ...ranked] : ranked) {
    if (kept.length >= atMost) break;
    if (!kept.some((other) => isSame(voice, other))) kept.push(voice);
  }
  return kept.map(({ pass, votes }) => ({ pass, next: windowAround(pass.contour), votes }));
}

function isOn({ x, y }: Point, { width, height }: Size): boolean {
  return x > 0 && y > 0 && x < width && y < height;
}

interface Placed {
  at: Point;
  width: number;
}

/** 1 for the same place and size; falls off within a fifth of the eye's width. */
function agreement(a: Placed, b: Placed): number {
  const apart = distance(a.at, b.at) / Math.max(a.width, b.width);
  const scaled = Math.log(a.width / b.width);
  return Math.exp(-((apart / 0.2) ** 2) - (scaled / 0.35) ** 2);
}

function isSame(a: Placed, b: Placed): boolean {
  const near = distance(a.at, b.at) < 0.35 * Math.max(a.width, b.width);
  return near && Math.abs(Math.log(a.width / b.width)) < 0.4;
}

/**
 * Returns how much a pass and the mirrored pass over the same window differ, in eye widths. For eyes this is
 * small.
 */
export function disagreement(pass: Pass, mirrored: Pass): number {
  const [a, b] = cornersOf(pass.contour);
  const [c, d] = cornersOf(mirrored.contour);
  const width = (distance(a, b) + distance(c, d)) / 2;
  const corners = (distance(a, c) + distance(b, d)) / 2;
  return (distance(irisOf(pass), irisOf(mirrored)) + 0.5 * corners) / width;
}

function irisOf({ iris }: Pass): Point {
  const [centre] = iris;
  if (!centre) throw new Error('An iris has a middle');
  return centre;
}

/** Returns the windows that are examined at one place; each is shown plain and mirrored. */
export function viewsOf(window: Window): Window[] {
  return [
    window,
    nudge(window, { scale: 1.2 }),
    nudge(window, { scale: 0.88 }),
    nudge(window, { x: 0.08 }),
    nudge(window, { x: -0.08 }),
  ];
}

export interface Evidence {
  /**
   * Spread of the iris' middle over all passes, in eye widths: below 0.11 for eyes, above 0.06 for other
   * things.
   */
  irisSpread: number;
  cornerSpread: number;
  /** Mean height over width of the lid line; `leastOpenness` is the smallest. */
  openness: number;
  leastOpenness: number;
  /** How much darker the iris is than the skin around the lids, 0 to 1. */
  contrast: number;
  /** How much darker the iris is than the area next to it between the lids. */
  white: number;
  /** Spread of the openness over all passes: a closed lid is drawn differently each time. */
  opennessSpread: number;
  votes: number;
  /** Evidence of a face around the eye: `faceSupport` (open-eye.ts), or 0 if it was not computed. */
  face: number;
  box: Rect;
  lids: Point[];
  /** The corners, the left one on the picture first: the mean of all passes. */
  corners: [Point, Point];
}

export function gatherEvidence(
  passes: readonly Pass[],
  contrasts: Pick<Evidence, 'contrast' | 'white'>,
  votes: number,
): Evidence {
  const [first] = passes;
  if (!first) throw new Error('Evidence needs at least one pass');
  const corners = passes.map(({ contour }) => cornersOf(contour));
  const width = mean(corners.map(([a, b]) => distance(a, b)));
  const shapes = passes.map(({ contour }) => eyeShape(contour).aspect);
  const lids = first.contour.slice(0, LID_POINTS);
  return {
    irisSpread: spread(passes.map(irisOf)) / width,
    cornerSpread: (spread(corners.map(([a]) => a)) + spread(corners.map(([, b]) => b))) / 2 / width,
    openness: mean(shapes),
    leastOpenness: Math.min(...shapes),
    opennessSpread: deviation(passes.map(({ contour }) => middleAspect(contour))),
    ...contrasts,
    votes,
    face: 0,
    box: boundsOf(lids),
    lids,
    corners: [meanOf(corners.map(([a]) => a)), meanOf(corners.map(([, b]) => b))],
  };
}

function meanOf(points: readonly Point[]): Point {
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function middleAspect(contour: readonly Point[]): number {
  const [upper, lower] = [contour[12], contour[4]];
  const [a, b] = cornersOf(contour);
  if (!upper || !lower) throw new Error(`An eye contour has at least ${LID_POINTS} points`);
  return distance(upper, lower) / distance(a, b);
}

function spread(points: readonly Point[]): number {
  const centre = meanOf(points);
  return Math.sqrt(mean(points.map((point) => distance(point, centre) ** 2)));
}
