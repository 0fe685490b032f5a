import type { Detection } from '@karaar/faces/detection';
import { widthOf, type Point } from '@karaar/faces/geometry';
import { measureFaceQuality } from '../rules/quality.ts';
import { pointsOf, REGION_INPUT, regionAround, regionOf, type Region } from '../rules/region.ts';
import { MIN_PRESENCE, type FaceObservation } from '../rules/decide.ts';
import { whiteContrastOf } from './contrast.ts';
import { cropRegion } from './crop.ts';
import { detectFace, detectFaces } from './detect.ts';
import type { Picture } from './picture.ts';
import { presenceOf, type Models } from './sessions.ts';

/** A crowd is refused anyway, so further candidates are ignored. */
const MAX_CANDIDATES = 10;
/**
 * Added to the minimum presence for candidates of a later transformation, because each transformation causes
 * its own false detections.
 */
const SURER = 3;

/**
 * If a detector is this sure but the landmark model is not, the face gets a second crop and a lower minimum
 * presence.
 */
const SURE_DETECTION = 0.75;
const MIN_PRESENCE_WHEN_SURE = 5;

interface Confirmed {
  face: FaceObservation;
  region: Region;
  crop: Uint8Array;
}

/**
 * Returns the faces that the landmark model confirms, the largest first.
 * @param withEyes also finds the eyes of the largest face
 */
export async function observeFaces(
  picture: Picture,
  models: Models,
  withEyes = false,
): Promise<FaceObservation[]> {
  const confirmed = await confirmedFaces(picture, models);
  if (withEyes) await drawEyes(confirmed, models);
  return confirmed.map(({ face }) => face);
}

/**
 * Returns the confirmed faces with the eyes of the largest one, which an eye photo is about. Only the
 * unchanged picture is used; if this finds nothing, the caller tries a close-up.
 * @param closeup called before the slower detector if that is unlikely to find a face; true ends the search
 */
export async function observeEyes(
  picture: Picture,
  models: Models,
  closeup?: () => Promise<boolean>,
): Promise<FaceObservation[]> {
  for await (const { candidates, unlikely } of detectFace(picture, models)) {
    const confirmed = await confirmAll(picture, models, candidates);
    await drawEyes(confirmed, models);
    if (confirmed.length > 0) return confirmed.map(({ face }) => face);
    if (unlikely && (await closeup?.())) break;
  }
  return [];
}

async function drawEyes([largest]: readonly Confirmed[], models: Models): Promise<void> {
  if (!largest) return;
  const refined = await models.run('attention', largest.crop);
  const eye = (name: string): Point[] => pointsOf(refined(name), largest.region);
  const onCrop = { rgb: largest.crop, width: REGION_INPUT, height: REGION_INPUT };
  const white = (contour: string, iris: string): number => {
    const look = { contour: plainPoints(refined(contour)), iris: plainPoints(refined(iris)) };
    return whiteContrastOf(onCrop, [look]);
  };
  largest.face = {
    ...largest.face,
    eyes: [eye('leftEye'), eye('rightEye')],
    whites: [white('leftEye', 'leftIris'), white('rightEye', 'rightIris')],
  };
}

const plainPoints = (coordinates: Float32Array): Point[] =>
  pointsOf(coordinates, {
    centre: { x: REGION_INPUT / 2, y: REGION_INPUT / 2 },
    side: REGION_INPUT,
    turn: 0,
  });

async function confirmedFaces(picture: Picture, models: Models): Promise<Confirmed[]> {
  for await (const { candidates, further } of detectFaces(picture, models)) {
    const confirmed = await confirmAll(picture, models, candidates, MIN_PRESENCE + (further ? SURER : 0));
    if (confirmed.length > 0) return confirmed;
  }
  return [];
}

async function confirmAll(
  picture: Picture,
  models: Models,
  candidates: readonly Detection[],
  minPresence = MIN_PRESENCE,
): Promise<Confirmed[]> {
  const few = candidates.slice(0, MAX_CANDIDATES);
  // In parallel, because libvips makes the crops on its own threads.
  const crops = await Promise.all(few.map((candidate) => cropRegion(picture, regionOf(candidate))));
  const confirmed: Confirmed[] = [];
  for (const [i, crop] of crops.entries()) {
    const candidate = few[i];
    if (!candidate) continue;
    const one = await confirm(picture, models, { candidate, crop }, minPresence);
    if (one) confirmed.push(one);
  }
  return confirmed.sort((a, b) => widthOf(b.face.box) - widthOf(a.face.box));
}

async function confirm(
  picture: Picture,
  models: Models,
  { candidate, crop }: { candidate: Detection; crop: Uint8Array },
  minPresence: number,
): Promise<Confirmed | undefined> {
  const { box, score, keypoints } = candidate;
  let region = regionOf(candidate);
  const first = await models.run('landmark', crop);
  let presence = presenceOf(first);
  if (presence < minPresence && score >= SURE_DETECTION) {
    // Covered or turned faces are askew in their box; the mesh gives a better region.
    const again = regionAround(pointsOf(first('points'), region, 3));
    const closer = await cropRegion(picture, again);
    const second = presenceOf(await models.run('landmark', closer));
    if (second > presence) [region, crop, presence] = [again, closer, second];
    minPresence -= MIN_PRESENCE - MIN_PRESENCE_WHEN_SURE;
  }
  if (presence < minPresence) return undefined;
  const quality = measureFaceQuality(crop, REGION_INPUT);
  return { face: { box, score, keypoints, eyes: [], whites: [], quality }, region, crop };
}
