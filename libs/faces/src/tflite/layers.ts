/**
 * The layers of a small network over values of rows × columns × channels. Each function takes its volumes
 * once and returns a function that runs the layer on them.
 */

export interface Volume {
  values: Float32Array;
  height: number;
  width: number;
  channels: number;
}

export interface Layer {
  from: Volume;
  to: Volume;
  /** Size of the window, its steps, and the padding before the first row and column. */
  rows: number;
  columns: number;
  down: number;
  across: number;
  top: number;
  left: number;
  relu: boolean;
  /** Per output: rows × columns × inputs. If each channel has its own window: rows × columns × channels. */
  weights: Float32Array;
  bias: Float32Array;
}

type Windows = Omit<Layer, 'weights' | 'bias'>;

/** Calls `visit` with each output position and its window's rows and columns, clipped to the input. */
function overWindows(
  { from, to, rows, columns, down, across, top, left }: Windows,
  visit: (
    o: number,
    window: { y: number; x: number; y0: number; y1: number; x0: number; x1: number },
  ) => void,
): void {
  for (let row = 0, o = 0; row < to.height; row++) {
    const y = row * down - top;
    const [y0, y1] = [Math.max(0, y), Math.min(from.height, y + rows)];
    for (let column = 0; column < to.width; column++, o += to.channels) {
      const x = column * across - left;
      visit(o, { y, x, y0, y1, x0: Math.max(0, x), x1: Math.min(from.width, x + columns) });
    }
  }
}

// The loops below run over every value; their indices are within bounds by construction.

/** Weighs all channels of the window for each output. */
export function convolve(layer: Layer): () => void {
  const { from, to, rows, columns, weights, bias, relu } = layer;
  const [input, output] = [from.values, to.values];
  const inputs = from.channels;
  const perOutput = rows * columns * inputs;
  return () =>
    overWindows(layer, (o, { y, x, y0, y1, x0, x1 }) => {
      const span = (x1 - x0) * inputs;
      for (let k = 0; k < to.channels; k++) {
        let sum = bias[k] as number;
        for (let row = y0; row < y1; row++) {
          let i = (row * from.width + x0) * inputs;
          let w = k * perOutput + ((row - y) * columns + (x0 - x)) * inputs;
          for (const end = i + span; i < end; i++, w++) sum += (input[i] as number) * (weights[w] as number);
        }
        output[o + k] = relu && sum < 0 ? 0 : sum;
      }
    });
}

/** Weighs each channel with its own window. */
export function convolveEach(layer: Layer): () => void {
  const { from, to, columns, weights, bias, relu } = layer;
  const [input, output] = [from.values, to.values];
  const channels = to.channels;
  return () =>
    overWindows(layer, (o, { y, x, y0, y1, x0, x1 }) => {
      for (let k = 0; k < channels; k++) output[o + k] = bias[k] as number;
      for (let row = y0; row < y1; row++) {
        for (let column = x0; column < x1; column++) {
          const i = (row * from.width + column) * channels;
          const w = ((row - y) * columns + (column - x)) * channels;
          for (let k = 0; k < channels; k++)
            output[o + k] = (output[o + k] as number) + (input[i + k] as number) * (weights[w + k] as number);
        }
      }
      if (!relu) return;
      for (let k = o; k < o + channels; k++) if ((output[k] as number) < 0) output[k] = 0;
    });
}

/** Takes the maximum of each channel in the window. */
export function pool(layer: Windows): () => void {
  const { from, to, relu } = layer;
  const [input, output] = [from.values, to.values];
  const channels = to.channels;
  return () =>
    overWindows(layer, (o, { y0, y1, x0, x1 }) => {
      output.fill(relu ? 0 : -Infinity, o, o + channels);
      for (let row = y0; row < y1; row++) {
        for (let column = x0; column < x1; column++) {
          const i = (row * from.width + column) * channels;
          for (let k = 0; k < channels; k++)
            if ((input[i + k] as number) > (output[o + k] as number)) output[o + k] = input[i + k] as number;
        }
      }
    });
}
