/**
 * Finds faces near the camera on a small square picture in plain JavaScript, for the page while the user
 * frames a photo.
 */
import { anchorsOf, SHORT_RANGE_GRIDS } from './anchors.ts';
import { decodeDetections, type Detection, type Fit } from './detection.ts';
import { buildNetwork } from './tflite/network.ts';

export const SHORT_RANGE_SIDE = 128;
const ANCHORS = anchorsOf(SHORT_RANGE_GRIDS);

/**
 * Builds the detector.
 * @param file `face_detection_short_range.tflite`
 * @returns a function that takes 128 × 128 RGBA pixels and how the picture was fitted into them, and returns
 * the faces, best first
 */
export function shortRangeDetector(file: Uint8Array): (rgba: Uint8ClampedArray, fit: Fit) => Detection[] {
  const run = buildNetwork(file);
  const input = new Float32Array(SHORT_RANGE_SIDE ** 2 * 3);
  return (rgba, fit) => {
    for (let i = 0, at = 0; i < input.length; at++) {
      input[i++] = (rgba[at++] ?? 0) / 127.5 - 1;
      input[i++] = (rgba[at++] ?? 0) / 127.5 - 1;
      input[i++] = (rgba[at++] ?? 0) / 127.5 - 1;
    }
    const [boxes, scores] = run(input);
    if (!boxes || !scores) throw new Error('The detector must have two outputs');
    return decodeDetections({ boxes, scores }, ANCHORS, fit);
  };
}
