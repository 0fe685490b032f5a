import { measureQuality, qualityFault, type Quality } from './quality.ts';

const good: Quality = { mean: 130, deviation: 45, blownOut: 0.01, sharpness: 0.1 };

/** A grey picture of 32 × 32 from a function of its places. */
function picture(grey: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: 32 * 32 * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return grey(pixel % 32, Math.floor(pixel / 32));
  });
}

describe('measuring', () => {
  it('gives mean, deviation and blown-out share of the luma', () => {
    const half = measureQuality(
      picture((x) => (x < 16 ? 0 : 255)),
      32,
      32,
    );
    expect(half.mean).toBeCloseTo(127.5, 1);
    expect(half.deviation).toBeCloseTo(127.5, 1);
    expect(half.blownOut).toBe(0.5);
  });

  it('weighs green most and blue least', () => {
    const of = (r: number, g: number, b: number) =>
      measureQuality(
        Uint8Array.from({ length: 32 * 32 * 3 }, (_, i) => [r, g, b][i % 3] ?? 0),
        32,
        32,
      ).mean;
    expect(of(255, 0, 0)).toBeCloseTo(76.2, 1);
    expect(of(0, 255, 0)).toBeCloseTo(149.7, 1);
    expect(of(0, 0, 255)).toBeCloseTo(29.1, 1);
  });

  it('finds edges sharper than slopes of the same contrast', () => {
    const edges = measureQuality(
      picture((x) => (x % 8 < 4 ? 60 : 200)),
      32,
      32,
    );
    const slopes = measureQuality(
      picture((x) => 130 + 70 * Math.sin((x / 32) * 2 * Math.PI)),
      32,
      32,
    );
    expect(edges.sharpness).toBeGreaterThan(10 * slopes.sharpness);
    expect(slopes.sharpness).toBeLessThan(0.015);
  });
});

describe('the quality rules', () => {
  it.each([
    [{}, undefined],
    [{ mean: 31 }, 'too_dark'],
    [{ mean: 32 }, undefined],
    [{ mean: 226 }, 'too_bright'],
    [{ blownOut: 0.46 }, 'too_bright'],
    [{ deviation: 9, mean: 90 }, 'too_dark'],
    [{ deviation: 9, mean: 170 }, 'too_bright'],
    [{ sharpness: 0.00249 }, 'blurred'],
    [{ sharpness: 0.0025 }, undefined],
  ] as const)('%j is %s', (change, fault) => {
    expect(qualityFault({ ...good, ...change })).toBe(fault);
  });
});
