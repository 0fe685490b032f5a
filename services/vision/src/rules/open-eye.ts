/**
 * Decides whether the eye on a close-up is open, from the measures of ten passes of the eye model and the
 * landmark model's face around it. docs/vision.md has the reasons and figures.
 */
import { distance, type Point, type Size } from '@karaar/faces/geometry';
import type { Evidence } from './evidence.ts';
import { nudge, type Window } from './window.ts';

/**
 * Weights of the measures: rounded values between those fitted on close-ups of real and of synthetic people
 * (docs/vision.md).
 */
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
export const MOST_SUPPORT = 2;
/** Largest values that count: a face around closed eyes does not open them. */
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
 * Next to the iris an open eye is lighter by 0.27 to 0.76. A lid in shade or with make-up is drawn open, but
 * has nothing lighter there. Each missing unit of white counts this much against an open eye
 * (docs/vision.md).
 */
const WHITE_OF_AN_EYE = 0.3;
const MISSING_WHITE = -20;
/** Below this value of the face model there is certainly no face, whatever the other measures say. */
const NO_FACE = -8;
const REFUSED = -1;
const MEASURES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

/** Returns a log-odds; above 0 the eye is open. */
export function openEyeScore(evidence: Evidence): number {
  const score = MEASURES.reduce(
    (sum, measure) => sum + WEIGHTS[measure] * Math.min(evidence[measure], AT_MOST[measure]),
    OFFSET,
  );
  const withWhite = score + MISSING_WHITE * Math.max(0, WHITE_OF_AN_EYE - evidence.white);
  return evidence.face < NO_FACE ? Math.min(withWhite, REFUSED) : withWhite;
}

/** Returns true if a face around the eye could still raise the score above 0. */
export function mayBeOpen(evidence: Evidence): boolean {
  return openEyeScore({ ...evidence, face: AT_MOST.face }) > 0;
}

/**
 * Box of a face in widths of its eye, and the offset of its middle from the eye's, as measured on portraits.
 */
const FACE = { box: 5.75, beside: 1.1, below: 0.2 * 5.75 };
const REGION = 1.5;

/** Returns where the face would be if this were its left eye on the picture, and if it were its right one. */
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

/**
 * Usual presence for open eyes: `at` for the smallest share, lower by `per` times the share of the picture
 * that they fill.
 */
const USUAL_PRESENCE = { at: 6.3, per: 23.3, leastShare: 0.1, mostShare: 0.6 };

/**
 * Returns how much more of a face is visible than around other eyes that fill as much of the picture: the
 * less of a face the picture can show, the lower the landmark model's presence.
 * @param presence the model's logits in the windows of `windowsOfFaces`
 */
export function faceSupport(presence: readonly number[], { corners }: Evidence, picture: Size): number {
  const share = distance(...corners) / Math.sqrt(picture.width * picture.height);
  const { at, per, leastShare, mostShare } = USUAL_PRESENCE;
  const usual = at - per * Math.min(mostShare, Math.max(leastShare, share));
  return Math.max(...presence) - usual;
}
