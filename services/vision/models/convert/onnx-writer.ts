/** Encodes an ONNX model with the field numbers of onnx.proto. */
const ELEMENT = { f32: 1, u8: 2, i64: 7, f16: 10 } as const;
type OnnxElement = keyof typeof ELEMENT;

/** A number, or a name if each run chooses the size. */
export type OnnxDimension = number | string;
type OnnxAttribute = number | string | readonly number[];

const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;
const IR_VERSION = 8;
/** GridSample needs opset 16; no converted model needs more than 17. */
const OPSET = 17;

export class OnnxWriter {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  readonly #inputs: Buffer[] = [];
  readonly #outputs: Buffer[] = [];
  #count = 0;

  /** Adds a node; returns the name of its output. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, OnnxAttribute> = {},
    output = this.#name(operator),
  ): string {
    const fields = [
      ...inputs.map((input) => bytesField(1, input)),
      bytesField(2, output),
      bytesField(4, operator),
      ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
    ];
    this.#nodes.push(bytesField(1, Buffer.concat(fields)));
    return output;
  }

  /** Adds a float constant; without dimensions it is a scalar. */
  floats(values: readonly number[], dimensions: readonly number[] = []): string {
    return this.#constant('f32', dimensions, Float32Array.from(values));
  }

  /** Adds a list of 64-bit integers, such as a shape, axes or paddings. */
  integers(values: readonly number[]): string {
    return this.#constant('i64', [values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds weights as 16-bit floats, which are widened to 32 bits when the model is loaded. */
  halfs(bits: Uint16Array, dimensions: readonly number[]): string {
    return this.node('Cast', [this.#constant('f16', dimensions, bits)], { to: ELEMENT.f32 });
  }

  input(name: string, element: OnnxElement, dimensions: readonly OnnxDimension[]): string {
    this.#inputs.push(bytesField(11, valueInfo(name, element, dimensions)));
    return name;
  }

  output(name: string, element: OnnxElement, dimensions: readonly OnnxDimension[]): void {
    this.#outputs.push(bytesField(12, valueInfo(name, element, dimensions)));
  }

  encode(): Buffer {
    const name = bytesField(2, 'graph');
    const graph = [...this.#nodes, name, ...this.#constants, ...this.#inputs, ...this.#outputs];
    return Buffer.concat([
      varintField(1, IR_VERSION),
      bytesField(2, 'karaar-vision'),
      bytesField(7, Buffer.concat(graph)),
      bytesField(8, varintField(2, OPSET)),
    ]);
  }

  #constant(element: OnnxElement, dimensions: readonly number[], values: ArrayBufferView): string {
    const name = this.#name('constant');
    const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const fields = [
      ...dimensions.map((dimension) => varintField(1, dimension)),
      varintField(2, ELEMENT[element]),
      bytesField(8, name),
      bytesField(9, raw),
    ];
    this.#constants.push(bytesField(5, Buffer.concat(fields)));
    return name;
  }

  #name(prefix: string): string {
    return `${prefix}_${this.#count++}`;
  }
}

function attribute(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === 'number') {
    return Buffer.concat([bytesField(1, name), varintField(3, value), varintField(20, ATTRIBUTE_INT)]);
  }
  if (typeof value === 'string') {
    return Buffer.concat([bytesField(1, name), bytesField(4, value), varintField(20, ATTRIBUTE_STRING)]);
  }
  const items = value.map((item) => varintField(8, item));
  return Buffer.concat([bytesField(1, name), ...items, varintField(20, ATTRIBUTE_INTS)]);
}

function valueInfo(name: string, element: OnnxElement, dimensions: readonly OnnxDimension[]): Buffer {
  const shape = dimensions.map((dimension) =>
    bytesField(1, typeof dimension === 'string' ? bytesField(2, dimension) : varintField(1, dimension)),
  );
  const tensor = Buffer.concat([varintField(1, ELEMENT[element]), bytesField(2, Buffer.concat(shape))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

/** Encodes an integer, a negative one as 64-bit two's complement. */
function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | 0), varint(value)]);
}

/** Encodes bytes, a text or a nested message. */
function bytesField(field: number, value: Uint8Array | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
