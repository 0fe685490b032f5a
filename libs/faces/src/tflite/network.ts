/**
 * Runs a small TFLite model in plain JavaScript, one picture at a time, for pages whose policy forbids
 * evaluation and WebAssembly. Supports the operators of the short range face detector; the service runs the
 * same model with ONNX.
 */
import type { FlatTable } from './flatbuffer.ts';
import { parseTflite, type TfliteModel, type TfliteOperator, type TfliteTensor } from './model.ts';
import { convolve, convolveEach, pool, type Layer, type Volume } from './layers.ts';
import { padding } from './padding.ts';

/**
 * @param input values of the model's only input
 * @returns the model's outputs, valid until the next run
 */
export type Network = (input: Float32Array) => Float32Array[];

const RELU = 1;

/** @throws Error for a model with an unsupported operator */
export function buildNetwork(file: Uint8Array): Network {
  const model = parseTflite(file);
  const values = new Map<number, Float32Array>();
  const steps: (() => void)[] = [];
  const build = new Builder(model, values);
  const [input = -1] = model.inputs;
  const entry = build.make(input);
  for (const operator of model.operators) {
    const step = build.step(operator);
    if (step) steps.push(step);
  }
  const outputs = model.outputs.map((output) => build.value(output));
  return (values) => {
    if (values.length !== entry.length) throw new Error(`The input has ${entry.length} values`);
    entry.set(values);
    for (const step of steps) step();
    return outputs;
  };
}

class Builder {
  readonly #model: TfliteModel;
  readonly #values: Map<number, Float32Array>;

  constructor(model: TfliteModel, values: Map<number, Float32Array>) {
    this.#model = model;
    this.#values = values;
  }

  /** Returns the function that runs one operator; undefined if its result is constant. */
  step(operator: TfliteOperator): (() => void) | undefined {
    const { kind, options } = operator;
    const [first = -1, second = -1] = operator.inputs;
    const [target = -1] = operator.outputs;
    if (kind === 'DEQUANTIZE') {
      this.#values.set(target, constantOf(this.#tensor(first)));
      return undefined;
    }
    if (kind === 'RESHAPE') {
      this.#values.set(target, this.value(first));
      return undefined;
    }
    const from = this.value(first);
    const to = this.make(target);
    switch (kind) {
      case 'CONV_2D':
        return convolve(this.#layer(operator, { strides: [2, 1], activation: 3 }));
      case 'DEPTHWISE_CONV_2D':
        return convolveEach(this.#layer(operator, { strides: [2, 1], activation: 4 }));
      case 'MAX_POOL_2D':
        return pool(this.#poolLayer(operator));
      case 'RELU':
        return () => from.forEach((value, i) => (to[i] = Math.max(0, value)));
      case 'ADD': {
        const other = this.value(second);
        const relu = options?.int8(0) === RELU;
        return () => {
          for (let i = 0; i < to.length; i++) {
            const sum = (from[i] as number) + (other[i] as number);
            to[i] = relu && sum < 0 ? 0 : sum;
          }
        };
      }
      case 'PAD':
        return this.#pad(first, second, target);
      case 'CONCATENATION':
        return this.#concatenate(operator);
      case 'CUSTOM':
      case 'MUL':
      case 'PRELU':
      case 'RESIZE_BILINEAR':
      case 'STRIDED_SLICE':
        throw new Error(`Operator ${kind} is not known here`);
    }
  }

  value(index: number): Float32Array {
    const value = this.#values.get(index);
    if (!value) throw new Error(`Tensor ${this.#tensor(index).name} was not computed`);
    return value;
  }

  make(index: number): Float32Array {
    const value = new Float32Array(this.#tensor(index).shape.reduce((product, size) => product * size, 1));
    this.#values.set(index, value);
    return value;
  }

  #tensor(index: number): TfliteTensor {
    const tensor = this.#model.tensors[index];
    if (!tensor) throw new Error(`The model has no tensor ${index}`);
    return tensor;
  }

  #volume(index: number): Volume {
    const [, height = 0, width = 0, channels = 0] = this.#tensor(index).shape;
    return { values: this.value(index), height, width, channels };
  }

  #layer(operator: TfliteOperator, fields: { strides: [number, number]; activation: number }): Layer {
    const [input = -1, weights = -1, bias = -1] = operator.inputs;
    const [, rows = 1, columns = 1] = this.#tensor(weights).shape;
    return {
      ...this.#windows(operator, { input, rows, columns }, fields),
      weights: this.value(weights),
      bias: this.value(bias),
    };
  }

  #poolLayer(operator: TfliteOperator): Omit<Layer, 'weights' | 'bias'> {
    const [input = -1] = operator.inputs;
    const [columns = 1, rows = 1] = [operator.options?.int32(3), operator.options?.int32(4)];
    return this.#windows(operator, { input, rows, columns }, { strides: [2, 1], activation: 5 });
  }

  #windows(
    { options, outputs }: TfliteOperator,
    { input, rows, columns }: { input: number; rows: number; columns: number },
    fields: { strides: [number, number]; activation: number },
  ): Omit<Layer, 'weights' | 'bias'> {
    const [strideDown, strideAcross] = fields.strides.map((field) => options?.int32(field, 1) ?? 1);
    const from = this.#volume(input);
    const scheme = options?.int8(0) ?? 0;
    const before = (size: number, window: number, stride: number): number =>
      padding(scheme, { size, window, stride, dilation: 1 })[0];
    const [down, across] = [strideDown ?? 1, strideAcross ?? 1];
    return {
      from,
      to: this.#volume(outputs[0] ?? -1),
      rows,
      columns,
      down,
      across,
      top: before(from.height, rows, down),
      left: before(from.width, columns, across),
      relu: isRelu(options, fields.activation),
    };
  }

  /** Appends zero channels, the only padding in this model. */
  #pad(input: number, amounts: number, target: number): () => void {
    const from = this.#volume(input);
    const to = this.#volume(target);
    const pads = new Int32Array(this.#tensor(amounts).data.buffer);
    if (pads.some((pad, i) => pad !== 0 && i !== 7)) throw new Error('Only channels are padded here, behind');
    return () => {
      for (let i = 0; i < from.height * from.width; i++)
        to.values.set(from.values.subarray(i * from.channels, (i + 1) * from.channels), i * to.channels);
    };
  }

  /** Joins the inputs along the first axis that is longer than 1. */
  #concatenate({ inputs, outputs, options }: TfliteOperator): () => void {
    const target = outputs[0] ?? -1;
    const axis = options?.int32(0) ?? 0;
    if (
      this.#tensor(target)
        .shape.slice(0, axis)
        .some((size) => size !== 1)
    )
      throw new Error('Only the outermost axis is joined here');
    const parts = inputs.map((input) => this.value(input));
    const to = this.value(target);
    return () => {
      let at = 0;
      for (const part of parts) {
        to.set(part, at);
        at += part.length;
      }
    };
  }
}

function isRelu(options: FlatTable | undefined, field: number): boolean {
  const activation = options?.int8(field) ?? 0;
  if (activation !== 0 && activation !== RELU) throw new Error(`Unknown fused activation ${activation}`);
  return activation === RELU;
}

/** Returns 16-bit weights as 32-bit floats. */
function constantOf({ data, type, name }: TfliteTensor): Float32Array {
  if (type !== 'f16') throw new Error(`Tensor ${name} is not stored in 16 bits`);
  return Float32Array.from(new Uint16Array(data.buffer), widened);
}

function widened(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
