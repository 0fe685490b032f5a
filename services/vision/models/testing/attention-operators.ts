/**
 * Runs each converted custom operator of the attention model and prints as JSON its deviation from the
 * definition. TFLite's public runtime lacks these operators.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { GraphConversion } from '../convert/graph.ts';
import { convertOperator } from '../convert/operators.ts';
import { readSources } from '../sources.ts';
import { parseTflite } from '@karaar/faces/tflite/model';

/** Largest absolute deviation per operator, in pixels. */
export type Deviations = Record<'matrix' | 'sampling' | 'landmarks', number>;

type Matrix = readonly [a: number, b: number, x: number, c: number, d: number, y: number];

const sources = await readSources();
const model = parseTflite(sources.attention);
const TURN = 0.6;
const [cos, sin] = [Math.cos(TURN), Math.sin(TURN)];
/** Maps pixels of a cut to places on the map: rotated, scaled and moved so that all are on the map. */
const matrix: Matrix = [0.5 * cos, -0.5 * sin, 30, 0.5 * sin, 0.5 * cos, 20];

/** Makes a model of one operator and returns a function that runs it. */
async function single(name: string): Promise<(inputs: Float32Array[]) => Promise<Float32Array>> {
  const operator = model.operators.find(({ customName }) => customName === name);
  if (!operator) throw new Error(`The model has no operator ${name}`);
  const graph = new GraphConversion(model);
  const shapes = operator.inputs.map((input) => {
    const [n = 1, ...rest] = graph.shape(input);
    // Feature maps have channels first.
    return rest.length === 3 ? [n, rest[2] ?? 1, rest[0] ?? 1, rest[1] ?? 1] : [n, ...rest];
  });
  operator.inputs.forEach((input, i) => graph.set(input, graph.onnx.input(`in${i}`, 'f32', shapes[i] ?? [])));
  convertOperator(graph, operator);
  const [output = -1] = operator.outputs;
  graph.onnx.node('Identity', [graph.value(output)], {}, 'out');
  graph.onnx.output('out', 'f32', []);
  const session = await InferenceSession.create(graph.onnx.encode(), { logSeverityLevel: 3 });
  return async (inputs) => {
    const feeds = inputs.map((data, i) => [`in${i}`, new Tensor('float32', data, shapes[i] ?? [])] as const);
    return (await session.run(Object.fromEntries(feeds)))['out']?.data as Float32Array;
  };
}

/** Rotated landmarks must give the rotated matrix. */
async function matrixDeviation(): Promise<number> {
  const run = await single('Landmarks2TransformMatrix');
  const landmarks = Float32Array.from({ length: 468 * 3 }, (_, i) => 96 + 60 * Math.sin(i * 12.9898));
  const turned = Float32Array.from(landmarks, (value, i) => {
    if (i % 3 === 0) return cos * value - sin * (landmarks[i + 1] ?? 0);
    return i % 3 === 1 ? sin * (landmarks[i - 1] ?? 0) + cos * value : value;
  });
  const [straight, found] = [await run([landmarks]), await run([turned])];
  return deviation(
    [0, 1, 3].flatMap((column) => {
      const [top, bottom] = [straight[column] ?? NaN, straight[4 + column] ?? NaN];
      return [
        (found[column] ?? NaN) - (cos * top - sin * bottom),
        (found[4 + column] ?? NaN) - (sin * top + cos * bottom),
      ];
    }),
  );
}

/** A map that contains its own x and y must return the sampled places, T·(p + 0.5) − 0.5. */
async function samplingDeviation(): Promise<number> {
  const run = await single('TransformTensorBilinear');
  const operator = model.operators.find(({ customName }) => customName === 'TransformTensorBilinear');
  const [, height = 0, width = 0, channels = 0] = model.tensors[operator?.inputs[0] ?? -1]?.shape ?? [];
  const [, rows = 0, columns = 0] = model.tensors[operator?.outputs[0] ?? -1]?.shape ?? [];
  const map = Float32Array.from({ length: channels * height * width }, (_, i) => {
    const place = i % (height * width);
    return Math.floor(i / (height * width)) === 0 ? place % width : Math.floor(place / width);
  });
  const found = await run([map, asTensor(matrix)]);
  return deviation(
    Array.from({ length: rows * columns }, (_, i) => {
      const [x, y] = apply(matrix, (i % columns) + 0.5, Math.floor(i / columns) + 0.5);
      const [offX, offY] = [(found[i] ?? NaN) - (x - 0.5), (found[rows * columns + i] ?? NaN) - (y - 0.5)];
      return Math.hypot(offX, offY);
    }),
  );
}

async function landmarksDeviation(): Promise<number> {
  const run = await single('TransformLandmarks');
  const operator = model.operators.find(({ customName }) => customName === 'TransformLandmarks');
  const [, count = 0] = model.tensors[operator?.inputs[0] ?? -1]?.shape ?? [];
  const points = Float32Array.from({ length: count * 2 }, (_, i) => 48 + 40 * Math.sin(i * 78.233));
  const found = await run([points, asTensor(matrix)]);
  return deviation(
    Array.from({ length: count }, (_, i) => {
      const [x, y] = apply(matrix, points[2 * i] ?? NaN, points[2 * i + 1] ?? NaN);
      return Math.hypot((found[2 * i] ?? NaN) - x, (found[2 * i + 1] ?? NaN) - y);
    }),
  );
}

function apply([a, b, x, c, d, y]: Matrix, u: number, v: number): [number, number] {
  return [a * u + b * v + x, c * u + d * v + y];
}

/** Returns the matrix in the models' layout: 4 × 4 with the shift in the last column. */
function asTensor([a, b, x, c, d, y]: Matrix): Float32Array {
  return Float32Array.of(a, b, 0, x, c, d, 0, y, 0, 0, 1, 0, 0, 0, 0, 1);
}

function deviation(differences: number[]): number {
  return Math.max(...differences.map(Math.abs));
}

const deviations: Deviations = {
  matrix: await matrixDeviation(),
  sampling: await samplingDeviation(),
  landmarks: await landmarksDeviation(),
};
process.stdout.write(JSON.stringify(deviations));
