import fc from 'fast-check';
import { describeEye, eyeAgreement, likenessOf, PATCH } from './eye-likeness.ts';

const eye = (shift = 0, height = 8): Float32Array =>
  Float32Array.from({ length: PATCH.width * PATCH.height }, (_, i) => {
    const [x, y] = [(i % PATCH.width) - PATCH.width / 2, Math.floor(i / PATCH.width) - PATCH.height / 2];
    if (Math.hypot(x - shift, y) < 6) return 40;
    return (x / 13) ** 2 + (y / height) ** 2 < 1 ? 210 : 140 + y;
  });
const texture = (seed: number): Float32Array =>
  Float32Array.from(
    { length: PATCH.width * PATCH.height },
    (_, i) => (Math.imul(i + seed, 2654435761) >>> 24) / 2,
  );

describe('the likeness of an eye', () => {
  it('is the same in different light', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.4, max: 1.2, noNaN: true }), (factor) => {
        const other = eye().map((value) => value * factor);
        expect(likenessOf(describeEye(eye()), describeEye(other))).toBeGreaterThan(0.97);
      }),
    );
  });

  it('falls the more an eye differs, and is low for other things', () => {
    const own = describeEye(eye());
    const [near, far, none] = [eye(1, 8), eye(7, 5), texture(3)].map((one) =>
      likenessOf(own, describeEye(one)),
    );
    expect(near).toBeGreaterThan(0.8);
    expect(far).toBeLessThan(near ?? 0);
    expect(none).toBeLessThan(0.3);
  });

  it('is zero for an empty patch', () => {
    const empty = describeEye(new Float32Array(PATCH.width * PATCH.height));
    expect(likenessOf(empty, describeEye(eye()))).toBe(0);
  });
});

describe('the agreement of two photos', () => {
  const [one, other] = [describeEye(eye()), describeEye(texture(5))];

  it('compares each eye of the second photo with the best match of the first', () => {
    expect(eyeAgreement([other, one], [one])).toBeCloseTo(1, 5);
    expect(eyeAgreement([one], [one, other])).toBeCloseTo((1 + likenessOf(one, other)) / 2, 5);
  });

  it('is null without eyes', () => {
    expect(eyeAgreement([], [one])).toBeNull();
    expect(eyeAgreement([one], [])).toBeNull();
  });
});
