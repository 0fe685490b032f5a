/** A smoke run looks at these drawings, in the folders of {@link CLASSES}, instead of photos. */
import { blankImage, faceImage, lookalikePng, noiseImage } from '@karaar/testing/faces/faces';
import { folderOf } from '../lib/smoke.ts';

const CLOSEUP = { width: 1280, height: 720, size: 2.6 };

/** @returns the folder */
export const drawnPhotos = async (): Promise<string> =>
  folderOf({
    'faces/ordinary/1.jpg': await faceImage({ seed: 1 }),
    'faces/ordinary/2.jpg': await faceImage({ seed: 2, skin: 'dark' }),
    'no-faces/1.png': await noiseImage(),
    'no-faces/2.png': await lookalikePng('smiley'),
    'eyes-open/1.jpg': await faceImage(CLOSEUP),
    'eyes-closed/1.jpg': await faceImage({ ...CLOSEUP, eyes: 'closed' }),
    'no-eyes/1.jpg': await blankImage(),
  });
