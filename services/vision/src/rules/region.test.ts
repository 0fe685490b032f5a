import fc from 'fast-check';
import { pointsOf, regionAround, regionOf } from './region.ts';

const box = { left: 100, top: 200, right: 200, bottom: 320 };

describe('the region around a face', () => {
  it('is a square of 1.5 times the longer side, rotated like the line of the eyes', () => {
    const keypoints = [
      { x: 120, y: 240 },
      { x: 160, y: 280 },
    ];
    const region = regionOf({ box, score: 1, keypoints });
    expect(region).toEqual({ centre: { x: 150, y: 260 }, side: 180, turn: Math.PI / 4 });
  });

  it('maps its middle to its centre and its corners to corners at any rotation', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.integer({ min: 20, max: 900 }),
        (turn, side) => {
          const region = { centre: { x: 150, y: 260 }, side, turn };
          const [middle, corner] = pointsOf(Float32Array.of(96, 96, 192, 192), region);
          expect(middle).toEqual(region.centre);
          expect(Math.hypot(corner!.x - 150, corner!.y - 260)).toBeCloseTo(side / Math.SQRT2, 3);
        },
      ),
    );
  });

  it('around a mesh equals the region for a detector that found exactly this face', () => {
    const turn = 0.4;
    const mesh = Array.from({ length: 468 }, (_, i) => {
      const [u, v] = [((i % 26) / 25 - 0.5) * 80, (Math.floor(i / 26) / 17 - 0.5) * 100];
      return {
        x: 300 + u * Math.cos(turn) - v * Math.sin(turn),
        y: 200 + u * Math.sin(turn) + v * Math.cos(turn),
      };
    });
    for (const [index, u] of [
      [33, -30],
      [263, 30],
    ] as const)
      mesh[index] = { x: 300 + u * Math.cos(turn), y: 200 + u * Math.sin(turn) };
    const region = regionAround(mesh);
    expect(region.centre.x).toBeCloseTo(300);
    expect(region.centre.y).toBeCloseTo(200);
    expect(region.side).toBeCloseTo(150);
    expect(region.turn).toBeCloseTo(turn);
  });

  it('ignores the depth of mesh points', () => {
    const region = { centre: { x: 96, y: 96 }, side: 192, turn: 0 };
    expect(pointsOf(Float32Array.of(10, 20, 5, 30, 40, 6), region, 3)).toEqual([
      { x: 10, y: 20 },
      { x: 30, y: 40 },
    ]);
  });

  it('turns clockwise on the screen', () => {
    const [right] = pointsOf(Float32Array.of(192, 96), {
      centre: { x: 0, y: 0 },
      side: 192,
      turn: Math.PI / 2,
    });
    expect(right!.x).toBeCloseTo(0);
    expect(right!.y).toBeCloseTo(96);
  });
});
