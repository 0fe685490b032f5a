import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  blankImage,
  faceImage,
  idCardPng,
  lookalikePng,
  noiseImage,
  signaturePng,
  type FaceImageOptions,
} from '@karaar/testing/faces/faces';
import { isSmoke } from '../lib/smoke.ts';

const SKINS = isSmoke ? (['tan'] as const) : (['light', 'tan', 'brown', 'dark'] as const);
/** The sizes of the browser's captures (spec §9), in both orientations. */
const FRAMES = [
  { width: 1280, height: 720 },
  { width: 640, height: 480 },
  { width: 720, height: 1280 },
] as const;
type Frame = (typeof FRAMES)[number];
const SIZES = isSmoke ? ([0.5] as const) : ([0.35, 0.5, 0.7] as const);
/** Heads of this size relative to the frame show only the part around the eyes. */
const CLOSEUP_SIZES = [2.6, 3.2] as const;
const TILTS = [-15, 0, 10] as const;

/** Faces, close-ups of eyes, and pictures of neither. */
const KINDS = ['faces', 'eyes-open', 'no-faces'] as const;
export type Kind = (typeof KINDS)[number];

/** Draws the same photos in each run, into the folders of {@link KINDS}. */
export async function drawPhotos(folder: string): Promise<void> {
  for (const kind of KINDS) await mkdir(join(folder, kind));
  let seed = 1;
  const draw = async (kind: Kind, frame: Frame, share: number, look: FaceImageOptions) => {
    // The head's share of the height, limited by the width of an upright frame.
    const size = (share * Math.min(frame.width, frame.height)) / frame.height;
    const image = await faceImage({ ...frame, size, seed, ...look });
    await writeFile(join(folder, kind, `${String(seed).padStart(3, '0')}.jpg`), image);
    seed += 1;
  };
  for (const frame of FRAMES)
    for (const size of SIZES)
      for (const tilt of TILTS)
        for (const skin of SKINS)
          await draw('faces', frame, size, { tilt, skin, x: 0.42 + (seed % 5) * 0.04 });
  for (const frame of FRAMES)
    for (const size of CLOSEUP_SIZES)
      for (const skin of SKINS) await draw('eyes-open', frame, size, { skin });
  const others = await Promise.all([
    ...FRAMES.map((frame) => faceImage({ ...frame, count: 0 })),
    ...FRAMES.map((frame) => blankImage(frame)),
    ...FRAMES.map((frame, i) => noiseImage({ ...frame, seed: i, format: 'jpeg' })),
    idCardPng(),
    lookalikePng('smiley'),
    lookalikePng('socket'),
    lookalikePng('pebble'),
    signaturePng(),
  ]);
  await Promise.all(
    others.map((image, i) => writeFile(join(folder, 'no-faces', `${String(i).padStart(3, '0')}.png`), image)),
  );
}
