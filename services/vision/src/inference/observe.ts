/** Looks at a picture with the face models: which faces are there, where are their eyes, how good is the light. */
import type { Detection } from '../features/validation/detection.ts';
import { widthOf, type Point } from '../features/validation/geometry.ts';
import { measureQuality } from '../features/validation/quality.ts';
import { pointsOf, REGION_INPUT, regionOf, type Region } from '../features/validation/region.ts';
import { MIN_PRESENCE, type FaceObservation } from '../features/validation/validation.ts';
import { cropRegion } from './crop.ts';
import { detectFaces } from './detect.ts';
import type { Picture } from './picture.ts';
import type { Models } from './sessions.ts';

/** A crowd is refused anyway: beyond this many candidates nothing is looked at. */
const MAX_CANDIDATES = 10;
/** What only a second way of looking finds must be surer to be a face: each way finds its own phantoms. */
const SURER = 3;

interface Confirmed {
  face: FaceObservation;
  region: Region;
  crop: Uint8Array;
}

/** The faces on a picture, those that the landmark model confirms, the largest first, without their eyes. */
export async function observeFaces(picture: Picture, models: Models): Promise<FaceObservation[]> {
  return (await confirmedFaces(picture, models)).map(({ face }) => face);
}

/**
 * The same, with the eyes of the largest face: that is the one an eye photo is about. Looks at the picture
 * in one way only: what that does not find is looked for as a close-up.
 */
export async function observeEyes(picture: Picture, models: Models): Promise<FaceObservation[]> {
  const confirmed = await confirmedFaces(picture, models, 1);
  const [largest] = confirmed;
  if (largest) {
    const refined = await models.run('attention', largest.crop);
    const eye = (name: string): Point[] => pointsOf(refined(name), largest.region);
    largest.face = { ...largest.face, eyes: [eye('leftEye'), eye('rightEye')] };
  }
  return confirmed.map(({ face }) => face);
}

/** @param ways how many ways of showing the picture are tried */
async function confirmedFaces(picture: Picture, models: Models, ways = Infinity): Promise<Confirmed[]> {
  let tried = 0;
  for await (const { candidates, further } of detectFaces(picture, models)) {
    const confirmed: Confirmed[] = [];
    for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
      const one = await confirm(picture, models, candidate, MIN_PRESENCE + (further ? SURER : 0));
      if (one) confirmed.push(one);
    }
    if (confirmed.length > 0) return confirmed.sort((a, b) => widthOf(b.face.box) - widthOf(a.face.box));
    if (++tried >= ways) break;
  }
  return [];
}

async function confirm(
  picture: Picture,
  models: Models,
  { box, score, keypoints }: Detection,
  minPresence: number,
): Promise<Confirmed | undefined> {
  const region = regionOf({ box, score, keypoints });
  const crop = await cropRegion(picture, region);
  const presence = (await models.run('landmark', crop))('presence')[0] ?? -Infinity;
  if (presence < minPresence) return undefined;
  const quality = measureQuality(crop, REGION_INPUT, REGION_INPUT);
  return { face: { box, score, keypoints, eyes: [], quality }, region, crop };
}
