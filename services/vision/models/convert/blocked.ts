/**
 * Replaces operators by equivalent ones. onnxruntime computes convolutions, Relu, Add and Concat on blocks of
 * channels, but PRelu and Pad only on plain channels: each costs two copies of the map and prevents fusions.
 * Without them a landmark or eye run takes two thirds of the time (docs/vision.md).
 */
import { BLOCK, type GraphConversion } from './graph.ts';

/** PRelu: x above 0, otherwise `slope` × x. Computed as slope × x + (1 − slope) × max(x, 0), per channel. */
export function parametricRelu({ onnx }: GraphConversion, value: string, slopes: readonly number[]): string {
  const rest = slopes.map((slope) => 1 - slope);
  const times = (of: string, factors: readonly number[]): string =>
    onnx.node('Conv', [of, onnx.floats(factors, [factors.length, 1, 1, 1])], {
      kernel_shape: [1, 1],
      group: factors.length,
    });
  // A Relu after a convolution is fused with it; a non-negative factor may come before or after the Relu.
  const above = rest.every((factor) => factor >= 0)
    ? onnx.node('Relu', [times(value, rest)])
    : times(onnx.node('Relu', [value]), rest);
  return onnx.node('Add', [times(value, slopes), above]);
}

/** Appends `extra` channels of zeros; returns undefined if the channels are not whole blocks. */
export function withZeroChannels(
  { onnx }: GraphConversion,
  value: string,
  channels: number,
  extra: number,
): string | undefined {
  if (channels % BLOCK !== 0 || extra % BLOCK !== 0) return undefined;
  const nothing = new Array<number>(extra * channels).fill(0);
  const zeros = onnx.node('Conv', [value, onnx.floats(nothing, [extra, channels, 1, 1])], {
    kernel_shape: [1, 1],
  });
  return onnx.node('Concat', [value, zeros], { axis: 1 });
}

/** Returns the values of 16-bit floats; the models contain no infinities. */
export function floatsOf(halfs: Uint16Array): number[] {
  return Array.from(halfs, (bits) => {
    const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}
