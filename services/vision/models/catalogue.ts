import { convertEyeBranch, convertModel } from './convert/convert.ts';
import { parseTflite } from '@karaar/faces/tflite/model';
import type { ModelName } from '../src/models/files.ts';
import type { ModelSources } from './sources.ts';

interface CatalogueEntry {
  source: keyof ModelSources;
  convert: (tflite: Uint8Array) => Buffer;
}

/** The source and the conversion of each model. */
export const CATALOGUE: Record<ModelName, CatalogueEntry> = {
  /** Faces near the camera: 128² → 896 anchors. */
  short: {
    source: 'shortRange',
    convert: (tflite) =>
      convertModel(parseTflite(tflite), 'minus-one-to-one', { boxes: [896, 16], scores: [896] }),
  },
  /** Faces farther away: 192² → 2304 anchors. */
  full: {
    source: 'fullRange',
    convert: (tflite) =>
      convertModel(parseTflite(tflite), 'minus-one-to-one', { boxes: [2304, 16], scores: [2304] }),
  },
  /** Checks that it is a face and finds its 468 points: 192² → points, presence logit. */
  landmark: {
    source: 'landmark',
    convert: (tflite) =>
      convertModel(parseTflite(tflite), 'zero-to-one', { points: [468, 3], presence: [1] }),
  },
  /** The mesh with refined lips, eyes and irises: 192². Left and right as seen in the picture. */
  attention: {
    source: 'attention',
    convert: (tflite) =>
      convertModel(parseTflite(tflite), 'zero-to-one', {
        points: [468, 3],
        lips: [80, 2],
        leftEye: [71, 2],
        rightEye: [71, 2],
        leftIris: [5, 2],
        rightIris: [5, 2],
        presence: [1],
      }),
  },
  /** The attention model's eye branch on 64² crops around one eye. */
  eye: { source: 'attention', convert: (tflite) => convertEyeBranch(parseTflite(tflite)) },
};
