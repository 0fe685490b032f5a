import fc from 'fast-check';
import { padding, reorderDepthwise, reorderWeights } from './convolution.ts';

const SAME = 0;
const VALID = 1;

describe('padding', () => {
  it('puts the odd one after, as TFLite does and PyTorch does not', () => {
    expect(padding(SAME, { size: 128, window: 5, stride: 2, dilation: 1 })).toEqual([1, 2]);
    expect(padding(SAME, { size: 48, window: 3, stride: 1, dilation: 1 })).toEqual([1, 1]);
    expect(padding(SAME, { size: 64, window: 2, stride: 2, dilation: 1 })).toEqual([0, 0]);
    expect(padding(VALID, { size: 128, window: 5, stride: 2, dilation: 1 })).toEqual([0, 0]);
  });

  it('SAME always leaves ceil(size / stride) places', () => {
    const axis = fc.record({
      size: fc.integer({ min: 1, max: 256 }),
      window: fc.integer({ min: 1, max: 7 }),
      stride: fc.integer({ min: 1, max: 4 }),
      dilation: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(axis, (one) => {
        const [before, after] = padding(SAME, one);
        const reach = (one.window - 1) * one.dilation + 1;
        const places = Math.floor((one.size + before + after - reach) / one.stride) + 1;
        // A window longer than its stride never skips a pixel; a shorter one may end early.
        if (reach >= one.stride) expect(places).toBe(Math.ceil(one.size / one.stride));
        expect(after - before === 0 || after - before === 1).toBe(true);
      }),
    );
  });
});

describe('weights', () => {
  it('go from outputs, rows, columns, inputs to outputs, inputs, rows, columns', () => {
    const [outputs, rows, columns, inputs] = [2, 2, 3, 4] as const;
    const ordered = Uint16Array.from({ length: outputs * rows * columns * inputs }, (_, i) => i);
    const moved = reorderWeights(ordered, [outputs, rows, columns, inputs]);
    const at = (o: number, h: number, w: number, i: number) => ((o * rows + h) * columns + w) * inputs + i;
    expect(moved[((1 * inputs + 3) * rows + 0) * columns + 2]).toBe(at(1, 0, 2, 3));
    expect(new Set(moved).size).toBe(ordered.length);
  });

  it('of depthwise convolutions go from rows, columns, outputs to outputs, rows, columns', () => {
    expect([...reorderDepthwise(Uint16Array.of(1, 2, 3, 4, 5, 6), 1, 3, 2)]).toEqual([1, 3, 5, 2, 4, 6]);
  });
});
