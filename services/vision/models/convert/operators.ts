import type { OperatorKind, TfliteOperator } from '@karaar/faces/tflite/model';
import { convertCustom } from './attention.ts';
import { floatsOf, parametricRelu, withZeroChannels } from './blocked.ts';
import { convertConvolution, convertMaxPool } from './convolution.ts';
import { TO_CHANNELS_FIRST, type GraphConversion } from './graph.ts';

type Conversion = (graph: GraphConversion, operator: TfliteOperator) => void;

/** TFLite's numbers of the fused activations that the face models use. */
const NO_ACTIVATION = 0;
const RELU = 1;

/** The options field with the fused activation. */
const ACTIVATION_FIELD = { CONV_2D: 3, DEPTHWISE_CONV_2D: 4, MAX_POOL_2D: 5, ADD: 0, MUL: 0 } as const;

/** Converts one operator and sets its output's value. */
export function convertOperator(graph: GraphConversion, operator: TfliteOperator): void {
  CONVERSIONS[operator.kind](graph, operator);
}

const CONVERSIONS: Record<OperatorKind, Conversion> = {
  ADD: (graph, operator) => {
    const values = operator.inputs.map((input) => graph.value(input));
    setActivated(graph, operator, 'ADD', graph.onnx.node('Add', values));
  },
  CONCATENATION: (graph, { inputs, outputs: [output = -1], options }) => {
    const rank = graph.shape(output).length;
    const axis = options?.int32(0) ?? 0;
    const positive = axis < 0 ? axis + rank : axis;
    const onnxAxis = rank === 4 ? TO_CHANNELS_FIRST.findIndex((from) => from === positive) : positive;
    const values = inputs.map((input) => graph.value(input));
    graph.set(output, graph.onnx.node('Concat', values, { axis: onnxAxis }));
  },
  CONV_2D: (graph, operator) => {
    setActivated(graph, operator, 'CONV_2D', convertConvolution(graph, operator));
  },
  CUSTOM: convertCustom,
  DEPTHWISE_CONV_2D: (graph, operator) => {
    setActivated(graph, operator, 'DEPTHWISE_CONV_2D', convertConvolution(graph, operator));
  },
  DEQUANTIZE: (graph, { inputs: [input = -1], outputs: [output = -1] }) => {
    graph.setConstant(output, input);
  },
  MAX_POOL_2D: (graph, operator) => {
    setActivated(graph, operator, 'MAX_POOL_2D', convertMaxPool(graph, operator));
  },
  MUL: (graph, operator) => {
    const [value = -1, factor = -1] = operator.inputs;
    const weights = graph.onnx.halfs(graph.halfs(factor), graph.shape(factor));
    setActivated(graph, operator, 'MUL', graph.onnx.node('Mul', [graph.value(value), weights]));
  },
  PAD: (graph, { inputs: [input = -1, amounts = -1], outputs: [output = -1] }) => {
    const pads = graph.integers(amounts);
    const before = TO_CHANNELS_FIRST.map((axis) => pads[2 * axis] ?? 0);
    const after = TO_CHANNELS_FIRST.map((axis) => pads[2 * axis + 1] ?? 0);
    const channels = graph.channels(input);
    // The input may already have some of the channels.
    const extra = graph.channels(output) - channels;
    const alone = [...before, ...after].every((amount, i) => amount === 0 || i === before.length + 1);
    if (alone && extra === 0) return graph.set(output, graph.value(input));
    after[1] = extra;
    const longer = alone ? withZeroChannels(graph, graph.value(input), channels, extra) : undefined;
    if (longer !== undefined) return graph.set(output, longer);
    const values = [graph.value(input), graph.onnx.integers([...before, ...after])];
    graph.set(output, graph.onnx.node('Pad', values, { mode: 'constant' }));
  },
  PRELU: (graph, { inputs: [input = -1, slope = -1], outputs: [output = -1] }) => {
    graph.set(output, parametricRelu(graph, graph.value(input), floatsOf(graph.halfs(slope))));
  },
  RELU: (graph, { inputs: [input = -1], outputs: [output = -1] }) => {
    graph.set(output, graph.onnx.node('Relu', [graph.value(input)]));
  },
  RESHAPE: convertReshape,
  RESIZE_BILINEAR: (graph, { inputs: [input = -1], outputs: [output = -1], options }) => {
    const [batch = 1, height = 0, width = 0, channels = 0] = graph.shape(output);
    const sizes = graph.onnx.integers([batch, channels, height, width]);
    const uncentred = options?.int8(3) ? 'half_pixel' : 'asymmetric';
    const attributes = {
      mode: 'linear',
      coordinate_transformation_mode: options?.int8(2) ? 'align_corners' : uncentred,
    };
    graph.set(output, graph.onnx.node('Resize', [graph.value(input), '', '', sizes], attributes));
  },
  // The models' only slice takes everything and drops a dimension, which is a reshape.
  STRIDED_SLICE: convertReshape,
};

function convertReshape(
  graph: GraphConversion,
  { inputs: [input = -1], outputs: [output = -1] }: TfliteOperator,
): void {
  const shape = graph.onnx.integers(graph.shape(output));
  graph.setFromTfliteLayout(output, graph.onnx.node('Reshape', [graph.inTfliteLayout(input), shape]));
}

function setActivated(
  graph: GraphConversion,
  operator: TfliteOperator,
  kind: keyof typeof ACTIVATION_FIELD,
  value: string,
): void {
  const [output = -1] = operator.outputs;
  const activation = operator.options?.int8(ACTIVATION_FIELD[kind]) ?? NO_ACTIVATION;
  if (activation !== NO_ACTIVATION && activation !== RELU)
    throw new Error(`Unknown fused activation ${activation}`);
  graph.set(output, activation === RELU ? graph.onnx.node('Relu', [value]) : value);
}
