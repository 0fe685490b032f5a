/** The layers of a small network over values of rows × columns × channels. Each takes its volumes once and then runs on them. */

export interface Volume {
  values: Float32Array;
  height: number;
  width: number;
  channels: number;
}

/** A window that goes over a volume. */
export interface Layer {
  from: Volume;
  to: Volume;
  /** Size of the window, its steps, and what of it is before the first row and column. */
  rows: number;
  columns: number;
  down: number;
  across: number;
  top: number;
  left: number;
  relu: boolean;
  /** Per output: rows × columns × inputs; where each channel has its own window: rows × columns × channels. */
  weights: Float32Array;
  bias: Float32Array;
}

type Windows = Omit<Layer, 'weights' | 'bias'>;

/** Calls with the first place of the output and, clipped to the input, the rows and columns of its window. */
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

// The loops below run over every value; their indices stay inside by construction.

/** All channels of the window weighed for each output. */
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

/** Each channel weighed by a window of its own. */
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

/** The largest of each channel in the window. */
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
