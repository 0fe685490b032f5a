/**
 * Converts the custom operators of the attention model to standard ones. The model places the whole face
 * mesh, cuts lips and eyes out of its feature map by transforms from the mesh, refines each part in its cut,
 * and maps the refined points back.
 */
import { toObject } from 'flatbuffers/js/flexbuffers.js';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { TfliteOperator } from '@karaar/faces/tflite/model';
import type { GraphConversion } from './graph.ts';

const CropSize = { output_width: Type.Number(), output_height: Type.Number() };
const MatrixOptions = Type.Object({
  ...CropSize,
  scale_x: Type.Number(),
  scale_y: Type.Number(),
  left_rotation_idx: Type.Number(),
  right_rotation_idx: Type.Number(),
  subset_idxs: Type.Array(Type.Number()),
});
const SampleOptions = Type.Object(CropSize);

/** Converts one CUSTOM operator. @throws Error for an unknown one */
export function convertCustom(graph: GraphConversion, operator: TfliteOperator): void {
  switch (operator.customName) {
    case 'Landmarks2TransformMatrix':
      return convertMatrix(graph, operator);
    case 'TransformTensorBilinear':
      return convertSampling(graph, operator);
    case 'TransformLandmarks':
      return convertLandmarks(graph, operator);
    default:
      throw new Error(`Custom operator ${operator.customName} is not one the converter knows`);
  }
}

function readOptions<T extends TSchema>(schema: T, operator: TfliteOperator): Static<T> {
  return Value.Parse(schema, toObject(operator.customOptions.buffer));
}

/**
 * Converts landmarks (1×N×3) to the 4×4 matrix from pixels of the cut to the landmarks' map: the scaled box
 * around a subset of points, rotated to the line between two of them.
 */
function convertMatrix(graph: GraphConversion, operator: TfliteOperator): void {
  const [input = -1] = operator.inputs;
  const [output = -1] = operator.outputs;
  const options = readOptions(MatrixOptions, operator);
  const { onnx } = graph;
  const landmarks = graph.value(input);
  const add = (a: string, b: string): string => onnx.node('Add', [a, b]);
  const sub = (a: string, b: string): string => onnx.node('Sub', [a, b]);
  const mul = (a: string, b: string): string => onnx.node('Mul', [a, b]);
  const div = (a: string, b: string): string => onnx.node('Div', [a, b]);
  const points = (indices: number[]): string =>
    onnx.node('Gather', [landmarks, onnx.integers(indices)], { axis: 1 });
  const axisOf = (values: string, axis: number): string =>
    onnx.node('Gather', [values, onnx.integers([axis])], { axis: 2 });

  const line = sub(points([options.right_rotation_idx]), points([options.left_rotation_idx]));
  const [dx, dy] = [axisOf(line, 0), axisOf(line, 1)];
  const length = onnx.node('Sqrt', [add(mul(dx, dx), mul(dy, dy))]);
  const cos = div(dx, length);
  const sin = onnx.node('Neg', [div(dy, length)]);

  const subset = points(options.subset_idxs);
  const [x, y] = [axisOf(subset, 0), axisOf(subset, 1)];
  const [upright, upright2] = [sub(mul(x, cos), mul(y, sin)), add(mul(x, sin), mul(y, cos))];
  const range = (values: string): [low: string, high: string] => [
    onnx.node('ReduceMin', [values], { axes: [1], keepdims: 1 }),
    onnx.node('ReduceMax', [values], { axes: [1], keepdims: 1 }),
  ];
  const [left, right] = range(upright);
  const [top, bottom] = range(upright2);
  const half = onnx.floats([0.5]);
  const [middleX, middleY] = [mul(add(left, right), half), mul(add(top, bottom), half)];
  const centreX = add(mul(middleX, cos), mul(middleY, sin));
  const centreY = sub(mul(middleY, cos), mul(middleX, sin));

  const scaleX = mul(sub(right, left), onnx.floats([options.scale_x / options.output_width]));
  const scaleY = mul(sub(bottom, top), onnx.floats([options.scale_y / options.output_height]));
  const [a, b] = [mul(cos, scaleX), mul(sin, scaleY)];
  const [c, d] = [onnx.node('Neg', [mul(sin, scaleX)]), mul(cos, scaleY)];
  const toMiddleX = onnx.floats([-options.output_width / 2]);
  const toMiddleY = onnx.floats([-options.output_height / 2]);
  const shiftX = add(centreX, add(mul(a, toMiddleX), mul(b, toMiddleY)));
  const shiftY = add(centreY, add(mul(c, toMiddleX), mul(d, toMiddleY)));

  const zero = onnx.floats([0], [1, 1, 1]);
  const row1 = onnx.node('Concat', [a, b, zero, shiftX], { axis: 2 });
  const row2 = onnx.node('Concat', [c, d, zero, shiftY], { axis: 2 });
  const rest = onnx.floats([0, 0, 1, 0, 0, 0, 0, 1], [1, 2, 4]);
  graph.set(output, onnx.node('Concat', [row1, row2, rest], { axis: 1 }));
}

/**
 * Samples a feature map bilinearly at the transformed centres of the cut's pixels, T·(p + 0.5) − 0.5; 0
 * outside the map. GridSample fades to 0 at the border, so a mask is needed.
 */
function convertSampling(graph: GraphConversion, operator: TfliteOperator): void {
  const [map = -1, matrix = -1] = operator.inputs;
  const [output = -1] = operator.outputs;
  const { output_height: rows, output_width: columns } = readOptions(SampleOptions, operator);
  const { onnx } = graph;
  const [, height = 0, width = 0] = graph.shape(map);
  const centres: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) centres.push(column + 0.5, row + 0.5, 0, 1);

  const twoRows = onnx.node('Slice', [
    graph.value(matrix),
    onnx.integers([0]),
    onnx.integers([2]),
    onnx.integers([1]),
  ]);
  const transposed = onnx.node('Transpose', [twoRows], { perm: [0, 2, 1] });
  const moved = onnx.node('MatMul', [onnx.floats(centres, [1, rows * columns, 4]), transposed]);
  const places = onnx.node('Sub', [moved, onnx.floats([0.5])]);
  const toUnit = onnx.floats([2 / (width - 1), 2 / (height - 1)], [1, 1, 2]);
  const unit = onnx.node('Sub', [onnx.node('Mul', [places, toUnit]), onnx.floats([1])]);
  const grid = onnx.node('Reshape', [unit, onnx.integers([1, rows, columns, 2])]);
  const sampled = onnx.node('GridSample', [graph.value(map), grid], {
    mode: 'bilinear',
    padding_mode: 'zeros',
    align_corners: 1,
  });
  const farthest = onnx.node('ReduceMax', [onnx.node('Abs', [grid])], { axes: [3], keepdims: 1 });
  const perPixel = onnx.node('Reshape', [farthest, onnx.integers([1, 1, rows, columns])]);
  const inside = onnx.node('Cast', [onnx.node('LessOrEqual', [perPixel, onnx.floats([1])])], { to: 1 });
  graph.set(output, onnx.node('Mul', [sampled, inside]));
}

/** Transforms landmarks (1×N×2) by the matrix: rotation and scale by MatMul, then the shift. */
function convertLandmarks(graph: GraphConversion, operator: TfliteOperator): void {
  const [landmarks = -1, matrix = -1] = operator.inputs;
  const [output = -1] = operator.outputs;
  const { onnx } = graph;
  const block = (from: [number, number], to: [number, number]): string =>
    onnx.node('Slice', [graph.value(matrix), onnx.integers(from), onnx.integers(to), onnx.integers([1, 2])]);
  const linear = onnx.node('Transpose', [block([0, 0], [2, 2])], { perm: [0, 2, 1] });
  const shift = onnx.node('Reshape', [block([0, 3], [2, 4]), onnx.integers([1, 1, 2])]);
  const turned = onnx.node('MatMul', [graph.value(landmarks), linear]);
  graph.set(output, onnx.node('Add', [turned, shift]));
}
