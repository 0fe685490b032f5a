import type { Evidence } from './evidence.ts';
import { faceSupport, mayBeOpen, openEyeScore, windowsOfFaces } from './open-eye.ts';

const evidence: Evidence = {
  irisSpread: 0.04,
  cornerSpread: 0.14,
  openness: 0.3,
  leastOpenness: 0.25,
  opennessSpread: 0.02,
  contrast: 0.5,
  white: 0.5,
  votes: 2,
  face: 0,
  box: { left: 80, top: 90, right: 120, bottom: 110 },
  lids: [],
  corners: [
    { x: 80, y: 100 },
    { x: 120, y: 100 },
  ],
};
const picture = { width: 200, height: 200 };

describe('a face around an eye', () => {
  it('is searched on either side and below, rotated like the eye', () => {
    const [left, right, ...more] = windowsOfFaces(evidence.corners);
    expect(more).toEqual([]);
    expect(left!.centre).toEqual({ x: 144, y: 146 });
    expect(right!.centre).toEqual({ x: 56, y: 146 });
    expect(left!.width).toBeCloseTo(40 * 5.75 * 1.5);
    const [turned] = windowsOfFaces([
      { x: 100, y: 80 },
      { x: 100, y: 120 },
    ]);
    expect(turned!.turn).toBeCloseTo(Math.PI / 2);
    expect(turned!.centre.x).toBeCloseTo(54);
    expect(turned!.centre.y).toBeCloseTo(144);
  });

  it('counts on the side that shows more of it', () => {
    expect(faceSupport([-9, 3], evidence, picture)).toBeCloseTo(faceSupport([3, -4], evidence, picture));
    expect(faceSupport([3, 3], evidence, picture)).toBeGreaterThan(faceSupport([2, 2], evidence, picture));
  });

  it('is expected less, the more of the picture the eye fills', () => {
    const asked = [200, 100, 66].map((side) => faceSupport([-6], evidence, { width: side, height: side }));
    expect(asked[0]).toBeLessThan(-5);
    expect(asked[1]).toBeGreaterThan(asked[0]!);
    expect(asked[2]).toBeGreaterThan(0);
    // Beyond six tenths of the picture, the usual value is not known.
    expect(faceSupport([-6], evidence, { width: 40, height: 40 })).toBeCloseTo(asked[2]!, 0);
  });

  it('decides if the passes alone do not, and never opens an eye that they found closed', () => {
    expect(openEyeScore(evidence)).toBeGreaterThan(0);
    expect(openEyeScore({ ...evidence, face: -6 })).toBeLessThan(0);
    const perfect = { ...evidence, irisSpread: 0, cornerSpread: 0.05, openness: 0.4, votes: 6 };
    expect(openEyeScore({ ...perfect, face: -7 })).toBeGreaterThan(0);
    expect(openEyeScore({ ...perfect, face: -9 })).toBeLessThan(0);
    const doubtful = { ...evidence, irisSpread: 0.18 };
    expect(openEyeScore(doubtful)).toBeLessThan(0);
    expect(mayBeOpen(doubtful)).toBe(true);
    expect(openEyeScore({ ...doubtful, face: 2 })).toBeGreaterThan(0);
    const closed = { ...evidence, openness: 0.1, leastOpenness: 0.04, white: 0.05, contrast: 0.2 };
    expect(mayBeOpen(closed)).toBe(false);
    expect(openEyeScore({ ...closed, face: 20 })).toBeLessThan(0);
  });

  it('does not open a lid without anything lighter next to the supposed iris', () => {
    const drawnOpen = { ...evidence, openness: 0.24, leastOpenness: 0.2, votes: 4, face: 2 };
    expect(openEyeScore(drawnOpen)).toBeGreaterThan(0);
    expect(openEyeScore({ ...drawnOpen, white: 0.3 })).toBeGreaterThan(0);
    expect(openEyeScore({ ...drawnOpen, white: 0.1 })).toBeLessThan(0);
    expect(mayBeOpen({ ...drawnOpen, white: 0.1, face: 0 })).toBe(false);
  });
});
