/** Parses a TFLite file to plain objects: tensors, operators in running order, inputs and outputs. */
import { FlatTable } from './flatbuffer.ts';

/** The operators that the face models use, by their number in the TFLite schema. */
const OPERATOR_NAMES: Record<number, OperatorKind> = {
  0: 'ADD',
  2: 'CONCATENATION',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  17: 'MAX_POOL_2D',
  18: 'MUL',
  19: 'RELU',
  22: 'RESHAPE',
  23: 'RESIZE_BILINEAR',
  32: 'CUSTOM',
  34: 'PAD',
  45: 'STRIDED_SLICE',
  54: 'PRELU',
};

export type OperatorKind =
  | 'ADD'
  | 'CONCATENATION'
  | 'CONV_2D'
  | 'CUSTOM'
  | 'DEPTHWISE_CONV_2D'
  | 'DEQUANTIZE'
  | 'MAX_POOL_2D'
  | 'MUL'
  | 'PAD'
  | 'PRELU'
  | 'RELU'
  | 'RESHAPE'
  | 'RESIZE_BILINEAR'
  | 'STRIDED_SLICE';

const ELEMENT_TYPES = { 0: 'f32', 1: 'f16', 2: 'i32' } as const;
export type ElementType = 'f32' | 'f16' | 'i32';

export interface TfliteTensor {
  name: string;
  /** Channels are last if there are four dimensions. */
  shape: number[];
  type: ElementType;
  /** Little-endian values of a constant; empty for a value computed at run time. */
  data: Uint8Array<ArrayBuffer>;
}

export interface TfliteOperator {
  kind: OperatorKind;
  customName: string;
  /** Tensor numbers; -1 is an omitted input. */
  inputs: number[];
  outputs: number[];
  options: FlatTable | undefined;
  customOptions: Uint8Array<ArrayBuffer>;
}

export interface TfliteModel {
  tensors: TfliteTensor[];
  operators: TfliteOperator[];
  inputs: number[];
  outputs: number[];
}

/**
 * Parses a TFLite file with a single graph.
 * @throws Error for another file, several graphs, or an unknown operator or element type
 */
export function parseTflite(file: Uint8Array): TfliteModel {
  if (new TextDecoder().decode(file.subarray(4, 8)) !== 'TFL3') throw new Error('Not a TFLite file');
  const root = FlatTable.root(file);
  const [graph, ...others] = root.tables(2);
  if (!graph || others.length > 0) throw new Error('Expected a TFLite file with one graph');
  const codes = root.tables(1);
  const buffers = root.tables(4);
  return {
    tensors: graph.tables(0).map((tensor) => readTensor(tensor, buffers)),
    operators: graph.tables(3).map((operator) => readOperator(operator, codes)),
    inputs: graph.ints(1),
    outputs: graph.ints(2),
  };
}

function readTensor(tensor: FlatTable, buffers: FlatTable[]): TfliteTensor {
  const name = tensor.text(3);
  const type = ELEMENT_TYPES[tensor.int8(1) as keyof typeof ELEMENT_TYPES];
  if (!type) throw new Error(`Tensor ${name} has an unknown element type`);
  if (tensor.table(6)) throw new Error(`Tensor ${name} is sparse. Use the dense model.`);
  const data = buffers[tensor.int32(2)]?.bytes(0) ?? new Uint8Array();
  return { name, shape: tensor.ints(0), type, data };
}

function readOperator(operator: FlatTable, codes: FlatTable[]): TfliteOperator {
  const code = codes[operator.int32(0)];
  // Numbers above 127 are in the newer field 3; the older byte is then a placeholder.
  const number = code ? Math.max(code.int8(0), code.int32(3)) : -1;
  const kind = OPERATOR_NAMES[number];
  if (!kind) throw new Error(`TFLite operator ${number} is unknown`);
  return {
    kind,
    customName: code?.text(1) ?? '',
    inputs: operator.ints(1),
    outputs: operator.ints(2),
    options: operator.table(4),
    customOptions: operator.bytes(5),
  };
}
