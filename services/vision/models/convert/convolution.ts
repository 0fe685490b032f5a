/** Converts convolutions and pooling: TFLite and ONNX differ in padding and in the order of weights. */
import type { TfliteOperator } from '@karaar/faces/tflite/model';
import { padding, SAME } from '@karaar/faces/tflite/padding';
import type { GraphConversion } from './graph.ts';

/** Reorders weights from O H W I to O I H W. */
export function reorderWeights(
  weights: Uint16Array,
  [outputs, rows, columns, inputs]: readonly [number, number, number, number],
): Uint16Array {
  const reordered = new Uint16Array(weights.length);
  let from = 0;
  for (let o = 0; o < outputs; o++)
    for (let h = 0; h < rows; h++)
      for (let w = 0; w < columns; w++)
        for (let i = 0; i < inputs; i++)
          reordered[((o * inputs + i) * rows + h) * columns + w] = weights[from++] ?? 0;
  return reordered;
}

/** Reorders depthwise weights from 1 H W O to O 1 H W. */
export function reorderDepthwise(
  weights: Uint16Array,
  rows: number,
  columns: number,
  outputs: number,
): Uint16Array {
  const reordered = new Uint16Array(weights.length);
  for (let place = 0; place < rows * columns; place++)
    for (let o = 0; o < outputs; o++)
      reordered[o * rows * columns + place] = weights[place * outputs + o] ?? 0;
  return reordered;
}

/** Pads weights with zeros for more outputs and inputs. */
export function widened(
  weights: Uint16Array,
  [outputs, inputs, ...kernel]: readonly number[],
  [moreOutputs, moreInputs]: readonly [number, number],
): Uint16Array {
  const size = kernel.reduce((product, side) => product * side, 1);
  const wide = new Uint16Array(moreOutputs * moreInputs * size);
  const row = (inputs ?? 0) * size;
  for (let o = 0; o < (outputs ?? 0); o++)
    wide.set(weights.subarray(o * row, (o + 1) * row), o * moreInputs * size);
  return wide;
}

/** Converts CONV_2D and DEPTHWISE_CONV_2D without a fused activation. */
export function convertConvolution(graph: GraphConversion, operator: TfliteOperator): string {
  const [input = -1, filter = -1, bias = -1] = operator.inputs;
  const [output = -1] = operator.outputs;
  const options = operator.options;
  const depthwise = operator.kind === 'DEPTHWISE_CONV_2D';
  const [first = 0, rows = 0, columns = 0, last = 0] = graph.shape(filter);
  const weights = graph.halfs(filter);
  const outputs = depthwise ? last : first;
  const bits = depthwise
    ? reorderDepthwise(weights, rows, columns, outputs)
    : reorderWeights(weights, [outputs, rows, columns, last]);
  const [inputChannels, outputChannels] = [graph.channels(input), graph.channels(output)];
  const shape = [outputs, depthwise ? 1 : last, rows, columns];
  const wide = [outputChannels, depthwise ? 1 : inputChannels] as const;
  const inputs = [
    graph.value(input),
    graph.onnx.halfs(widened(bits, shape, wide), [...wide, rows, columns]),
    ...(bias >= 0
      ? [graph.onnx.halfs(widened(graph.halfs(bias), [outputs, 1], [outputChannels, 1]), [outputChannels])]
      : []),
  ];
  const strides = [options?.int32(2) ?? 1, options?.int32(1) ?? 1] as const;
  const dilations = [
    options?.int32(depthwise ? 6 : 5, 1) ?? 1,
    options?.int32(depthwise ? 5 : 4, 1) ?? 1,
  ] as const;
  return graph.onnx.node('Conv', inputs, {
    kernel_shape: [rows, columns],
    strides,
    dilations,
    group: depthwise ? inputChannels : 1,
    pads: padsOf(graph.shape(input), options?.int8(0), [rows, columns], strides, dilations),
  });
}

/** Converts MAX_POOL_2D without a fused activation. */
export function convertMaxPool(graph: GraphConversion, operator: TfliteOperator): string {
  const [input = -1] = operator.inputs;
  const options = operator.options;
  const strides = [options?.int32(2) ?? 1, options?.int32(1) ?? 1] as const;
  const window = [options?.int32(4) ?? 1, options?.int32(3) ?? 1] as const;
  return graph.onnx.node('MaxPool', [graph.value(input)], {
    kernel_shape: window,
    strides,
    pads: padsOf(graph.shape(input), options?.int8(0), window, strides, [1, 1]),
  });
}

type RowsAndColumns = readonly [rows: number, columns: number];

/** Returns the paddings in ONNX order: top, left, bottom, right. */
function padsOf(
  [, height = 0, width = 0]: readonly number[],
  scheme = SAME,
  window: RowsAndColumns,
  strides: RowsAndColumns,
  dilations: RowsAndColumns,
): number[] {
  const along = (axis: 0 | 1, size: number) =>
    padding(scheme, { size, window: window[axis], stride: strides[axis], dilation: dilations[axis] });
  const [top, bottom] = along(0, height);
  const [left, right] = along(1, width);
  return [top, left, bottom, right];
}
