import fc from 'fast-check';
import { padding, SAME } from './padding.ts';

const VALID = 1;

describe('padding', () => {
  it('puts the odd one after, as TFLite does and PyTorch does not', () => {
    expect(padding(SAME, { size: 128, window: 5, stride: 2, dilation: 1 })).toEqual([1, 2]);
    expect(padding(SAME, { size: 48, window: 3, stride: 1, dilation: 1 })).toEqual([1, 1]);
    expect(padding(SAME, { size: 64, window: 2, stride: 2, dilation: 1 })).toEqual([0, 0]);
    expect(padding(VALID, { size: 128, window: 5, stride: 2, dilation: 1 })).toEqual([0, 0]);
  });

  it('SAME always leaves ceil(size / stride) positions', () => {
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
