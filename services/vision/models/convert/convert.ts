/** Converts the MediaPipe face models from TFLite to ONNX. */
import type { OnnxDimension } from './onnx-writer.ts';
import type { TfliteModel, TfliteOperator } from '@karaar/faces/tflite/model';
import { GraphConversion, TO_CHANNELS_FIRST } from './graph.ts';
import { convertOperator } from './operators.ts';

/** Maps bytes 0–255 to the model's input: x / 127.5 − 1, or x / 255. */
type Normalisation = 'minus-one-to-one' | 'zero-to-one';

/** The shape of each output; -1 is the number of images in a batch. */
type OutputShapes = Record<string, readonly number[]>;

const EYE_CROP = 64;

/**
 * Converts a whole model. The ONNX model takes `image`, the decoder's bytes as rows × columns × RGB, and
 * normalises them.
 * @param outputs names and shapes, in the order of the model's outputs
 */
export function convertModel(
  model: TfliteModel,
  normalisation: Normalisation,
  outputs: OutputShapes,
): Buffer {
  const graph = new GraphConversion(model);
  const [input = -1] = model.inputs;
  addImageInput(graph, input, graph.shape(input), normalisation);
  for (const operator of model.operators) convertOperator(graph, operator);
  Object.entries(outputs).forEach(([name, shape], i) => {
    addOutput(graph, model.outputs[i] ?? -1, name, shape);
  });
  return graph.onnx.encode();
}

/**
 * Converts the attention model's branch for the left eye to a model for a batch of 64 × 64 crops: the stem,
 * then the branch, without the cut between them. Its outputs are `contour` (71 points) and `iris` (5 points),
 * in pixels of the crop.
 *
 * The stem was declared for 192 pixels. All strides divide both sizes, so the paddings are the same.
 */
export function convertEyeBranch(model: TfliteModel): Buffer {
  const producers = new Map(
    model.operators.flatMap((operator) => operator.outputs.map((output) => [output, operator])),
  );
  const heads = { contour: tensorNamed(model, 'conv_left_eye'), iris: tensorNamed(model, 'conv_left_iris') };
  const needed = new Set<TfliteOperator>();
  const cuts = new Map<number, number>();
  const visit = (tensor: number): void => {
    const operator = producers.get(tensor);
    if (!operator || needed.has(operator)) return;
    if (operator.customName === 'TransformTensorBilinear') {
      const [map = -1] = operator.inputs;
      cuts.set(map, tensor);
      visit(map);
      return;
    }
    needed.add(operator);
    operator.inputs.forEach(visit);
  };
  visit(heads.contour);
  visit(heads.iris);

  const graph = new GraphConversion(model);
  const [input = -1] = model.inputs;
  addImageInput(graph, input, ['crops', EYE_CROP, EYE_CROP, 3], 'zero-to-one');
  for (const operator of model.operators) {
    if (!needed.has(operator)) continue;
    convertOperator(graph, operator);
    // The crop replaces the cut out of the whole model's feature map.
    for (const output of operator.outputs) {
      const cut = cuts.get(output);
      if (cut !== undefined) graph.set(cut, graph.value(output));
    }
  }
  addOutput(graph, heads.contour, 'contour', [-1, 71, 2]);
  addOutput(graph, heads.iris, 'iris', [-1, 5, 2]);
  return graph.onnx.encode();
}

function addImageInput(
  graph: GraphConversion,
  tensor: number,
  shape: readonly OnnxDimension[],
  normalisation: Normalisation,
): void {
  const { onnx } = graph;
  const image = onnx.input('image', 'u8', shape);
  const floats = onnx.node('Cast', [onnx.node('Transpose', [image], { perm: TO_CHANNELS_FIRST })], { to: 1 });
  const signed = normalisation === 'minus-one-to-one';
  const scaled = onnx.node('Mul', [floats, onnx.floats([signed ? 1 / 127.5 : 1 / 255])]);
  graph.set(tensor, signed ? onnx.node('Add', [scaled, onnx.floats([-1])]) : scaled);
}

function addOutput(graph: GraphConversion, tensor: number, name: string, shape: readonly number[]): void {
  const { onnx } = graph;
  onnx.node('Reshape', [graph.inTfliteLayout(tensor), onnx.integers(shape)], {}, name);
  onnx.output(
    name,
    'f32',
    shape.map((size) => (size < 0 ? 'crops' : size)),
  );
}

function tensorNamed(model: TfliteModel, name: string): number {
  const index = model.tensors.findIndex((tensor) => tensor.name === name);
  if (index < 0) throw new Error(`The model has no tensor named ${name}`);
  return index;
}
