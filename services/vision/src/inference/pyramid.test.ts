import { buildPyramid, sampleWindow } from './pyramid.ts';

const picture = {
  width: 200,
  height: 100,
  rgb: Uint8Array.from({ length: 200 * 100 * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return [pixel % 200, Math.floor(pixel / 200), 7][i % 3] ?? 0;
  }),
};

describe('a window of a pyramid', () => {
  it.each([
    [20, 16],
    [160, 16],
  ])('%i pixels wide shows the same places at any reduction', (width, side) => {
    const pyramid = buildPyramid(picture);
    const out = new Uint8Array(side * side * 3);
    const window = { centre: { x: 100, y: 50 }, width, height: width / 4, turn: 0 };
    sampleWindow(pyramid, window, side, false, out);
    const at = (column: number, row: number): number[] => [
      ...out.subarray((row * side + column) * 3).subarray(0, 3),
    ];
    const step = width / side;
    for (const column of [1, 8, 14]) {
      const x = 100 - width / 2 + (column + 0.5) * step;
      expect(Math.abs(at(column, 8)[0]! - (x - 0.5))).toBeLessThan(1.6);
    }
    sampleWindow(pyramid, window, side, true, out);
    expect(at(1, 8)[0]).toBeGreaterThan(at(14, 8)[0]!);
  });

  it('repeats the border outside the picture, and turns clockwise', () => {
    const pyramid = buildPyramid(picture);
    const out = new Uint8Array(8 * 8 * 3);
    sampleWindow(pyramid, { centre: { x: 0, y: 0 }, width: 16, height: 16, turn: 0 }, 8, false, out);
    expect([out[0], out[1], out[2]]).toEqual([0, 0, 7]);
    sampleWindow(
      pyramid,
      { centre: { x: 100, y: 50 }, width: 40, height: 40, turn: Math.PI / 2 },
      8,
      false,
      out,
    );
    // The picture's y grows along the window's x axis.
    expect(out[(3 * 8 + 7) * 3 + 1]!).toBeGreaterThan(out[3 * 8 * 3 + 1]!);
  });
});
