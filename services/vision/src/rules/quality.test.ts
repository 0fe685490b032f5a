import { measureFaceQuality, measureLight, qualityFault, type Quality } from './quality.ts';

const good: Quality = { mean: 130, deviation: 45, blownOut: 0.01, sharpness: 0.1 };

function picture(grey: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: 32 * 32 * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return grey(pixel % 32, Math.floor(pixel / 32));
  });
}

describe('measuring', () => {
  it('gives mean, deviation and blown-out share of the luma', () => {
    const half = measureFaceQuality(
      picture((x) => (x < 16 ? 0 : 255)),
      32,
    );
    expect(half.mean).toBeCloseTo(127.5, 1);
    expect(half.deviation).toBeCloseTo(127.5, 1);
    expect(half.blownOut).toBe(0.5);
  });

  it('weighs green most and blue least', () => {
    const of = (r: number, g: number, b: number) =>
      measureLight(Uint8Array.from({ length: 32 * 32 * 3 }, (_, i) => [r, g, b][i % 3] ?? 0)).mean;
    expect(of(255, 0, 0)).toBeCloseTo(76.2, 1);
    expect(of(0, 255, 0)).toBeCloseTo(149.7, 1);
    expect(of(0, 0, 255)).toBeCloseTo(29.1, 1);
  });

  it('scores edges as sharper than slopes of the same contrast', () => {
    const edges = measureFaceQuality(
      picture((x) => (x % 8 < 4 ? 60 : 200)),
      32,
    );
    const slopes = measureFaceQuality(
      picture((x) => 130 + 70 * Math.sin((x / 32) * 2 * Math.PI)),
      32,
    );
    expect(edges.sharpness).toBeGreaterThan(10 * slopes.sharpness);
    expect(slopes.sharpness).toBeLessThan(0.015);
  });
});

describe('the light of a face', () => {
  const onGround = (face: number, ground: number) =>
    measureFaceQuality(
      picture((x, y) => (Math.hypot((x - 15.5) / 9, (y - 15.5) / 11) <= 1 ? face : ground)),
      32,
    );

  it('is not dimmed by a dark background, nor blown out by a white wall', () => {
    expect(onGround(100, 0).mean).toBeCloseTo(100, 0);
    expect(qualityFault(onGround(150, 255))).not.toBe('too_bright');
    expect(onGround(150, 255).blownOut).toBe(0);
  });

  it('uses the whole crop if that is better: a person against a window is visible', () => {
    expect(onGround(25, 160).mean).toBeGreaterThan(60);
    expect(onGround(255, 100).blownOut).toBeLessThan(0.5);
  });
});

describe('the quality rules', () => {
  it.each([
    [{}, undefined],
    [{ mean: 29 }, 'too_dark'],
    [{ mean: 30 }, undefined],
    [{ mean: 231 }, 'too_bright'],
    [{ blownOut: 0.51 }, 'too_bright'],
    [{ deviation: 9, mean: 90 }, 'too_dark'],
    [{ deviation: 9, mean: 170 }, 'too_bright'],
    [{ sharpness: 0.00199 }, 'blurred'],
    [{ sharpness: 0.002 }, undefined],
  ] as const)('%j is %s', (change, fault) => {
    expect(qualityFault({ ...good, ...change })).toBe(fault);
  });
});
