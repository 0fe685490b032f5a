/** Computes the axis of a chart. */

/**
 * Returns round steps from 0 (or below) to at least the largest value.
 * @param wanted approximate number of steps
 */
export function ticks(values: readonly number[], wanted = 4): number[] {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const span = top - bottom || 1;
  const raw = span / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.floor(bottom / step);
  const last = Math.max(first + 1, Math.ceil(top / step));
  // Rounded multiples instead of sums, because 0.1 + 0.2 has a long decimal form.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Returns n if every n-th label of a width fits. */
export const everyNth = (labels: number, labelWidth: number, room: number): number =>
  Math.max(1, Math.ceil((labels * labelWidth) / Math.max(room, 1)));
