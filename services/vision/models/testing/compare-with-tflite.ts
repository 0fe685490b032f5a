/**
 * Runs the converted models, the page's own implementation (`page`) and TFLite on the same images, and prints
 * the largest differences as JSON. TFLite cannot run the attention model, so the eye branch is compared with
 * the whole converted model. This is a separate process because Jest has its own Float32Array.
 */
import { buildNetwork } from '@karaar/faces/tflite/network';
import { faceImage, noiseImage } from '@karaar/testing/faces/faces';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { ensureModels } from '../build.ts';
import { readSources } from '../sources.ts';
import { loadTflite } from './tflite-runtime.ts';

export interface Comparison {
  model: string;
  input: string;
  output: string;
  /** Largest absolute value in TFLite's output. */
  largest: number;
  difference: number;
}

export interface Report {
  comparisons: Comparison[];
  /**
   * Mean distance between the contours of the eye branch and of the attention model, over the eye's width.
   */
  eyeBranchDistance: number;
}

const MODELS = [
  { name: 'short', source: 'shortRange', side: 128, outputs: ['boxes', 'scores'], signed: true },
  { name: 'full', source: 'fullRange', side: 192, outputs: ['boxes', 'scores'], signed: true },
  { name: 'landmark', source: 'landmark', side: 192, outputs: ['points', 'presence'], signed: false },
] as const;

const square = { width: 400, height: 400, size: 0.8 } as const;
const inputs = {
  face: await faceImage({ ...square, format: 'png' }),
  'closed eyes, turned': await faceImage({
    ...square,
    eyes: 'closed',
    tilt: 15,
    skin: 'dark',
    format: 'png',
  }),
  'two faces': await faceImage({ ...square, size: 0.4, count: 2, format: 'png' }),
  noise: await noiseImage({ width: 400, height: 400 }),
};

const { paths } = await ensureModels();
const sources = await readSources();
const comparisons: Comparison[] = [];
const page = buildNetwork(sources.shortRange);
for (const { name, source, side, outputs, signed } of MODELS) {
  const tflite = await loadTflite(sources[source]);
  const onnx = await InferenceSession.create(paths[name], { logSeverityLevel: 3 });
  for (const [input, image] of Object.entries(inputs)) {
    const bytes = new Uint8Array(await sharp(image).resize(side, side).removeAlpha().raw().toBuffer());
    const values = Float32Array.from(bytes, (byte) => (signed ? byte / 127.5 - 1 : byte / 255));
    const expected = tflite(values);
    const found = await onnx.run({ image: new Tensor('uint8', bytes, [1, side, side, 3]) });
    const actual = outputs.map((output) => found[output]?.data as Float32Array);
    compare({ model: name, input, outputs }, actual, expected);
    if (name === 'short') compare({ model: 'page', input, outputs }, page(values), expected);
  }
}

function compare(
  { model, input, outputs }: { model: string; input: string; outputs: readonly string[] },
  actual: readonly Float32Array[],
  expected: readonly Float32Array[],
): void {
  outputs.forEach((output, i) => {
    const ours = actual[i] ?? new Float32Array();
    const theirs = expected[i] ?? new Float32Array();
    if (ours.length !== theirs.length) throw new Error(`${model}.${output} has another length`);
    comparisons.push({
      model,
      input,
      output,
      largest: theirs.reduce((max, value) => Math.max(max, Math.abs(value)), 0),
      difference: theirs.reduce((max, value, k) => Math.max(max, Math.abs(value - (ours[k] ?? NaN))), 0),
    });
  });
}

/** Runs the attention model on a face, then the branch on a crop of 1.5 times the left eye. */
async function eyeBranchDistance(): Promise<number> {
  const side = 192;
  const image = sharp(inputs.face).resize(side, side).removeAlpha();
  const face = new Uint8Array(await image.clone().raw().toBuffer());
  const attention = await InferenceSession.create(paths.attention, { logSeverityLevel: 3 });
  const refined = await attention.run({ image: new Tensor('uint8', face, [1, side, side, 3]) });
  const contour = refined['leftEye']?.data as Float32Array;
  const [xs, ys] = [0, 1].map((axis) => [...contour].filter((_, i) => i % 2 === axis));
  if (!xs || !ys) throw new Error('The attention model gave no contour');
  const [width, height] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const crop = {
    left: Math.round(Math.min(...xs) - width / 4),
    top: Math.round(Math.min(...ys) - height / 4),
    width: Math.round(width * 1.5),
    height: Math.round(height * 1.5),
  };
  const pixels = await image.clone().extract(crop).toBuffer();
  const bytes = new Uint8Array(await sharp(pixels).resize(64, 64, { fit: 'fill' }).raw().toBuffer());
  const eye = await InferenceSession.create(paths.eye, { logSeverityLevel: 3 });
  const found = (await eye.run({ image: new Tensor('uint8', bytes, [1, 64, 64, 3]) }))['contour']
    ?.data as Float32Array;
  const distances = xs.map((x, i) => {
    const foundX = crop.left + ((found[2 * i] ?? NaN) / 64) * crop.width;
    const foundY = crop.top + ((found[2 * i + 1] ?? NaN) / 64) * crop.height;
    return Math.hypot(foundX - x, foundY - (ys[i] ?? NaN));
  });
  return distances.reduce((sum, distance) => sum + distance, 0) / distances.length / width;
}

const report: Report = { comparisons, eyeBranchDistance: await eyeBranchDistance() };
process.stdout.write(JSON.stringify(report));
