import fc from 'fast-check';
import { portraitCut } from './portrait.ts';

const fraction = fc.double({ min: 0.02, max: 0.9, noNaN: true });
const face = fc
  .tuple(fraction, fraction, fraction, fraction)
  .map(([x, y, width, height]) => ({ x, y, width: Math.min(width, 1 - x), height: Math.min(height, 1 - y) }));
const side = fc.integer({ min: 100, max: 5_000 });
const aspect = fc.double({ min: 0.5, max: 2, noNaN: true });

describe('portraitCut', () => {
  it('contains the whole face and has the shape of the frame, for any photo', () => {
    fc.assert(
      fc.property(face, side, side, aspect, (box, width, height, shape) => {
        const cut = portraitCut(box, { width, height }, shape);
        expect(cut.width / cut.height).toBeCloseTo(shape, 6);
        expect(cut.left).toBeLessThanOrEqual(box.x * width + 1e-6);
        expect(cut.top).toBeLessThanOrEqual(box.y * height + 1e-6);
        expect(cut.left + cut.width).toBeGreaterThanOrEqual((box.x + box.width) * width - 1e-6);
        expect(cut.top + cut.height).toBeGreaterThanOrEqual((box.y + box.height) * height - 1e-6);
      }),
    );
  });

  it('shows the head in a tall photo, and the person in a wide one', () => {
    const tall = portraitCut({ x: 0.4, y: 0.1, width: 0.2, height: 0.1 }, { width: 1000, height: 2000 }, 0.8);
    expect(tall.top).toBeLessThan(200);
    expect(tall.top + tall.height).toBeLessThan(800);
    const wide = portraitCut({ x: 0.8, y: 0.4, width: 0.1, height: 0.2 }, { width: 2000, height: 1000 }, 0.8);
    expect(wide.left).toBeGreaterThan(1000);
    expect(wide.left + wide.width).toBeLessThanOrEqual(2000);
  });
});
