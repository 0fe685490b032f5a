import { OnnxWriter } from './onnx-writer.ts';
import type { OperatorKind, TfliteModel, TfliteTensor } from '@karaar/faces/tflite/model';

/** Channels per block with AVX2. AVX-512 uses 16, so that fewer maps gain. */
export const BLOCK = 8;

/** ONNX needs channels before rows and columns; TFLite has them last. */
export const TO_CHANNELS_FIRST = [0, 3, 1, 2] as const;
const TO_CHANNELS_LAST = [0, 2, 3, 1] as const;

/** Operators that keep channels of zeros as zeros. */
const KEEPS_ZEROS: ReadonlySet<OperatorKind> = new Set([
  'ADD',
  'CONV_2D',
  'DEPTHWISE_CONV_2D',
  'MAX_POOL_2D',
  'PAD',
  'RELU',
]);

/**
 * The state of one conversion: the ONNX value of each TFLite tensor. Four-dimensional values have channels
 * first, others keep TFLite's layout. Constants stay 16-bit floats and are moved as bits, without rounding.
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
   * Returns the number of channels of a tensor's ONNX value: padded with zeros to whole blocks if every
   * operator on it keeps them zero.
   */
  channels(index: number): number {
    const [, , , channels = 0] = this.shape(index);
    return this.#uneven.has(index) ? channels : Math.ceil(channels / BLOCK) * BLOCK;
  }

  value(index: number): string {
    const name = this.#values.get(index);
    if (name === undefined) throw new Error(`Tensor ${this.tensor(index).name} was not computed`);
    return name;
  }

  set(index: number, value: string): void {
    this.#values.set(index, value);
  }

  /** Makes a tensor an alias of a constant: TFLite widens 16-bit weights by an operator. */
  setConstant(index: number, source: number): void {
    this.#constants.set(index, this.tensor(source));
  }

  /** Returns a computed tensor in TFLite's layout, for reshapes and outputs. */
  inTfliteLayout(index: number): string {
    const value = this.value(index);
    return this.shape(index).length === 4
      ? this.onnx.node('Transpose', [value], { perm: TO_CHANNELS_LAST })
      : value;
  }

  /** Sets a tensor from a value in TFLite's layout. */
  setFromTfliteLayout(index: number, value: string): void {
    const fourD = this.shape(index).length === 4;
    this.set(index, fourD ? this.onnx.node('Transpose', [value], { perm: TO_CHANNELS_FIRST }) : value);
  }

  /** Returns a constant's integers, such as paddings and sizes. */
  integers(index: number): number[] {
    const { data, type, name } = this.tensor(index);
    if (type !== 'i32' || data.length === 0) throw new Error(`Tensor ${name} holds no constant integers`);
    return [...new Int32Array(data.buffer)];
  }

  /** Returns the bits of a constant's 16-bit floats. */
  halfs(index: number): Uint16Array {
    const { data, type, name } = this.#constants.get(index) ?? this.tensor(index);
    if (type !== 'f16' || data.length === 0) throw new Error(`Tensor ${name} holds no constant weights`);
    return new Uint16Array(data.buffer);
  }
}
