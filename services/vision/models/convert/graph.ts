/** The state of one conversion: which ONNX value holds which TFLite tensor, and in which layout. */
import { OnnxWriter } from './onnx-writer.ts';
import type { OperatorKind, TfliteModel, TfliteTensor } from '@karaar/faces/tflite/model';

/** Channels per block, on processors with AVX2; with AVX-512 there are 16, and fewer maps gain. */
export const BLOCK = 8;

/** ONNX wants channels before rows and columns, TFLite keeps them last. */
export const TO_CHANNELS_FIRST = [0, 3, 1, 2] as const;
const TO_CHANNELS_LAST = [0, 2, 3, 1] as const;

/** Operators that leave channels of zeros as they are, and may be given some. */
const KEEPS_ZEROS: ReadonlySet<OperatorKind> = new Set([
  'ADD',
  'CONV_2D',
  'DEPTHWISE_CONV_2D',
  'MAX_POOL_2D',
  'PAD',
  'RELU',
]);

/**
 * Four-dimensional values are held channels first, others as they are in the TFLite model. Constants
 * stay in 16-bit floats, as the models have them: weights are moved around as bits, never rounded.
 */
export class GraphConversion {
  readonly onnx = new OnnxWriter();
  readonly model: TfliteModel;
  readonly #values = new Map<number, string>();
  readonly #constants = new Map<number, TfliteTensor>();
  readonly #uneven: ReadonlySet<number>;

  constructor(model: TfliteModel) {
    this.model = model;
    const uneven = [model, ...model.operators.filter(({ kind }) => !KEEPS_ZEROS.has(kind))];
    this.#uneven = new Set(uneven.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]));
  }

  tensor(index: number): TfliteTensor {
    const tensor = this.model.tensors[index];
    if (!tensor) throw new Error(`The model has no tensor ${index}`);
    return tensor;
  }

  shape(index: number): readonly number[] {
    return this.tensor(index).shape;
  }

  /**
   * How many channels the ONNX value of a computed tensor has: those of the tensor, and of zeros behind them as many as make
   * whole blocks, where all that is done with them keeps them so.
   */
  channels(index: number): number {
    const [, , , channels = 0] = this.shape(index);
    return this.#uneven.has(index) ? channels : Math.ceil(channels / BLOCK) * BLOCK;
  }

  /** Name of the ONNX value that holds a computed tensor. */
  value(index: number): string {
    const name = this.#values.get(index);
    if (name === undefined) throw new Error(`Tensor ${this.tensor(index).name} was not computed`);
    return name;
  }

  set(index: number, value: string): void {
    this.#values.set(index, value);
  }

  /** Notes that a tensor is the same constant as another: TFLite widens 16-bit weights by an operator. */
  setConstant(index: number, source: number): void {
    this.#constants.set(index, this.tensor(source));
  }

  /** A computed tensor in TFLite's own layout, as reshaping and the outputs need it. */
  inTfliteLayout(index: number): string {
    const value = this.value(index);
    return this.shape(index).length === 4
      ? this.onnx.node('Transpose', [value], { perm: TO_CHANNELS_LAST })
      : value;
  }

  /** Takes a value in TFLite's layout as the given tensor. */
  setFromTfliteLayout(index: number, value: string): void {
    const fourD = this.shape(index).length === 4;
    this.set(index, fourD ? this.onnx.node('Transpose', [value], { perm: TO_CHANNELS_FIRST }) : value);
  }

  /** Whole numbers of a constant: paddings and sizes. */
  integers(index: number): number[] {
    const { data, type, name } = this.tensor(index);
    if (type !== 'i32' || data.length === 0) throw new Error(`Tensor ${name} holds no constant integers`);
    return [...new Int32Array(data.buffer)];
  }

  /** Bits of the 16-bit floats of a constant. */
  halfs(index: number): Uint16Array {
    const { data, type, name } = this.#constants.get(index) ?? this.tensor(index);
    if (type !== 'f16' || data.length === 0) throw new Error(`Tensor ${name} holds no constant weights`);
    return new Uint16Array(data.buffer);
  }
}
