/** TFLite's padding scheme 0 keeps ceil(size / stride) outputs; scheme 1 pads nothing. */
export const SAME = 0;

export interface Axis {
  size: number;
  window: number;
  stride: number;
  dilation: number;
}

/** Returns the padding before and after one axis: SAME puts the odd one after. */
export function padding(scheme: number, axis: Axis): [before: number, after: number] {
  if (scheme !== SAME) return [0, 0];
  const steps = Math.ceil(axis.size / axis.stride);
  const total = Math.max((steps - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1 - axis.size, 0);
  return [total >> 1, total - (total >> 1)];
}
