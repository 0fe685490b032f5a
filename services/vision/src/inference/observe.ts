/** Looks at a picture with all models: which faces are there, where are their eyes, how good is the light. */
import { anchorsOf, FULL_RANGE_GRIDS, SHORT_RANGE_GRIDS } from '../features/validation/anchors.ts';
import {
  decodeDetections,
  mergeDetections,
  type Detection,
  type DetectorOutput,
} from '../features/validation/detection.ts';
import { measureQuality } from '../features/validation/quality.ts';
import { pointsOf, REGION_INPUT, regionOf } from '../features/validation/region.ts';
import { MIN_PRESENCE, type FaceObservation } from '../features/validation/validation.ts';
import { cropRegion } from './crop.ts';
import { letterbox, reduce, type Picture } from './picture.ts';
import type { Models } from './sessions.ts';

const SHORT_ANCHORS = anchorsOf(SHORT_RANGE_GRIDS);
const FULL_ANCHORS = anchorsOf(FULL_RANGE_GRIDS);
/** A crowd is refused anyway: beyond this many candidates nothing is looked at. */
const MAX_CANDIDATES = 10;

/** The faces on a picture, those that the landmark model confirms, best first. */
export async function observeFaces(picture: Picture, models: Models): Promise<FaceObservation[]> {
  const reduced = await reduce(picture);
  const full = await letterbox(reduced, picture, 192);
  const short = await letterbox(reduced, picture, 128);
  const candidates = mergeDetections(
    decodeDetections(await detect(models, 'full', full.rgb), FULL_ANCHORS, full.fit),
    decodeDetections(await detect(models, 'short', short.rgb), SHORT_ANCHORS, short.fit),
  );
  const faces: FaceObservation[] = [];
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const face = await confirm(picture, models, candidate);
    if (face) faces.push(face);
  }
  return faces;
}

async function detect(models: Models, model: 'full' | 'short', rgb: Uint8Array): Promise<DetectorOutput> {
  const output = await models.run(model, rgb);
  return { boxes: output('boxes'), scores: output('scores') };
}

async function confirm(
  picture: Picture,
  models: Models,
  candidate: Detection,
): Promise<FaceObservation | undefined> {
  const region = regionOf(candidate);
  const crop = await cropRegion(picture, region);
  const presence = (await models.run('landmark', crop))('presence')[0] ?? -Infinity;
  if (presence < MIN_PRESENCE) return undefined;
  const refined = await models.run('attention', crop);
  return {
    box: candidate.box,
    score: candidate.score,
    eyes: [pointsOf(refined('leftEye'), region), pointsOf(refined('rightEye'), region)],
    quality: measureQuality(crop, REGION_INPUT, REGION_INPUT),
  };
}
