import { reorderDepthwise, reorderWeights, widened } from './convolution.ts';

describe('weights', () => {
  it('are reordered from outputs, rows, columns, inputs to outputs, inputs, rows, columns', () => {
    const [outputs, rows, columns, inputs] = [2, 2, 3, 4] as const;
    const ordered = Uint16Array.from({ length: outputs * rows * columns * inputs }, (_, i) => i);
    const moved = reorderWeights(ordered, [outputs, rows, columns, inputs]);
    const at = (o: number, h: number, w: number, i: number) => ((o * rows + h) * columns + w) * inputs + i;
    expect(moved[((1 * inputs + 3) * rows + 0) * columns + 2]).toBe(at(1, 0, 2, 3));
    expect(new Set(moved).size).toBe(ordered.length);
  });

  it('of depthwise convolutions are reordered from rows, columns, outputs to outputs, rows, columns', () => {
    expect([...reorderDepthwise(Uint16Array.of(1, 2, 3, 4, 5, 6), 1, 3, 2)]).toEqual([1, 3, 5, 2, 4, 6]);
  });

  it('for more channels are padded with zeros', () => {
    const weights = Uint16Array.from({ length: 2 * 3 * 2 }, (_, i) => i + 1);
    const wide = widened(weights, [2, 3, 1, 2], [3, 4]);
    expect([...wide]).toEqual([
      ...[1, 2, 3, 4, 5, 6, 0, 0],
      ...[7, 8, 9, 10, 11, 12, 0, 0],
      ...new Array(8).fill(0),
    ]);
  });
});
