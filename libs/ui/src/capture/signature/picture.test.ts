import fc from 'fast-check';
import { fitted } from './picture.ts';

describe('fitted', () => {
  it('keeps the proportions and is centred', () => {
    expect(fitted({ width: 1200, height: 300 }, { width: 600, height: 300 })).toEqual({
      x: 0,
      y: 75,
      width: 600,
      height: 150,
    });
    expect(fitted({ width: 50, height: 100 }, { width: 600, height: 300 })).toEqual({
      x: 225,
      y: 0,
      width: 150,
      height: 300,
    });
  });

  it('never leaves the box', () => {
    const side = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const at = fitted({ width, height }, { width: 540, height: 240 });
        expect(at.x).toBeGreaterThanOrEqual(-1e-6);
        expect(at.y).toBeGreaterThanOrEqual(-1e-6);
        expect(at.x + at.width).toBeLessThanOrEqual(540 + 1e-6);
        expect(at.y + at.height).toBeLessThanOrEqual(240 + 1e-6);
        expect(at.width / at.height).toBeCloseTo(width / height, 6);
      }),
    );
  });
});
