/**
 * Is what was found on a close-up an open eye? What ten inference passes of the eye model have in common, and whether
 * the landmark model sees a face around it. Why so, with the figures: docs/vision.md.
 */
import { distance, type Point, type Size } from '@karaar/faces/geometry';
import type { Evidence } from './evidence.ts';
import { nudge, type Window } from './window.ts';

/** Weights of the evidence: between those fitted on close-ups of real and of made-up people (docs/vision.md), rounded. */
const WEIGHTS = {
  irisSpread: -20,
  cornerSpread: -29,
  openness: 17.5,
  leastOpenness: 11,
  opennessSpread: -44,
  contrast: 2.2,
  white: 6.9,
  votes: 0.55,
  face: 0.68,
};
const OFFSET = -5.4;
/** A face around it counts for no more than this much of one. */
export const MOST_SUPPORT = 2;
/** Beyond these a measure says nothing more: a face around closed eyes does not open them. */
const AT_MOST = {
  irisSpread: 0.2,
  cornerSpread: 0.25,
  openness: 0.35,
  leastOpenness: 0.3,
  opennessSpread: 0.2,
  contrast: 1,
  white: 0.5,
  votes: 6,
  face: MOST_SUPPORT,
};
/**
 * Beside the iris of an open eye it is lighter by 0.27 to 0.76; a lid in shade or under make-up is drawn open, but shows nothing
 * lighter. What is missing counts this much against an eye (docs/vision.md).
 */
const WHITE_OF_AN_EYE = 0.3;
const MISSING_WHITE = -20;
/** Where the face model sees less of a face than this, there is none, whatever else speaks for an eye. */
const NO_FACE = -8;
const REFUSED = -1;
const MEASURES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

/** Above 0 it is an open eye; the figure is a log-odds. */
export function openEyeScore(evidence: Evidence): number {
  const score = MEASURES.reduce(
    (sum, measure) => sum + WEIGHTS[measure] * Math.min(evidence[measure], AT_MOST[measure]),
    OFFSET,
  );
  const withWhite = score + MISSING_WHITE * Math.max(0, WHITE_OF_AN_EYE - evidence.white);
  return evidence.face < NO_FACE ? Math.min(withWhite, REFUSED) : withWhite;
}

/** Whether a face around it could still make an open eye of what the passes have found. */
export function mayBeOpen(evidence: Evidence): boolean {
  return openEyeScore({ ...evidence, face: AT_MOST.face }) > 0;
}

/** A face's box in widths of its eye, and where its middle lies from the eye's, as measured on portraits. */
const FACE = { box: 5.75, beside: 1.1, below: 0.2 * 5.75 };
/** The landmark model's region reaches beyond the box by this factor. */
const REGION = 1.5;

/** Where the face would be if this were its left eye on the picture, or its right one. */
export function windowsOfFaces([a, b]: Evidence['corners']): Window[] {
  const width = distance(a, b);
  const side = FACE.box * REGION;
  const eye: Window = {
    centre: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } satisfies Point,
    width,
    height: width,
    turn: Math.atan2(b.y - a.y, b.x - a.x),
  };
  return [1, -1].map((to) => nudge(eye, { x: to * FACE.beside, y: FACE.below, scale: side }));
}

/** Presence that open eyes have: `at` for the smallest share, less by `per` share the more they fill the picture. */
const USUAL_PRESENCE = { at: 6.3, per: 23.3, leastShare: 0.1, mostShare: 0.6 };

/**
 * How much more of a face is around than around other eyes that fill the picture as much: the less of a face the
 * picture can show, the less the landmark model sees of one.
 * @param presence the model's logits in the windows of `windowsOfFaces`
 */
export function faceSupport(presence: readonly number[], { corners }: Evidence, picture: Size): number {
  const share = distance(...corners) / Math.sqrt(picture.width * picture.height);
  const { at, per, leastShare, mostShare } = USUAL_PRESENCE;
  const usual = at - per * Math.min(mostShare, Math.max(leastShare, share));
  return Math.max(...presence) - usual;
}
