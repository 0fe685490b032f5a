/** Whether two samples differ: the tests that the benches of uniform answers use. */

/** Standard normal distribution (Abramowitz & Stegun 7.1.26, error below 2e-7). */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(z) / Math.SQRT2));
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp(-(z * z) / 2);
  return z >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}

/**
 * Mann-Whitney U, two-sided by the normal approximation with ties (samples of 20 or more each).
 * @returns p, and the chance that a value of `a` is above one of `b` (0.5: none tells them apart)
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): { p: number; effect: number } {
  const all = [...a.map((x) => ({ x, ofA: true })), ...b.map((x) => ({ x, ofA: false }))].sort(
    (l, r) => l.x - r.x,
  );
  let rankSum = 0;
  let ties = 0;
  for (let i = 0; i < all.length;) {
    let j = i;
    while (j < all.length && all[j]?.x === all[i]?.x) j += 1;
    const rank = (i + 1 + j) / 2;
    for (let k = i; k < j; k += 1) if (all[k]?.ofA) rankSum += rank;
    ties += (j - i) ** 3 - (j - i);
    i = j;
  }
  const [m, n, total] = [a.length, b.length, all.length];
  const u = rankSum - (m * (m + 1)) / 2;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  const z = variance === 0 ? 0 : (u - (m * n) / 2) / Math.sqrt(variance);
  return { p: 2 * (1 - normalCdf(Math.abs(z))), effect: u / (m * n) };
}

/**
 * The 95 % confidence interval of the median of pairwise differences (a bootstrap over pairs, `seed` repeats it).
 * Pairs are measured one after the other, so that a slow moment of the machine is in both.
 */
export function medianDifference(
  pairs: readonly (readonly [a: number, b: number])[],
  seed = 1,
): { median: number; low: number; high: number } {
  const differences = pairs.map(([a, b]) => a - b);
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const middle = (values: number[]) =>
    values.sort((l, r) => l - r)[Math.floor(values.length / 2)] ?? Number.NaN;
  const medians = Array.from({ length: 2_000 }, () =>
    middle(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((l, r) => l - r);
  return {
    median: middle([...differences]),
    low: medians[49] ?? Number.NaN,
    high: medians[1_949] ?? Number.NaN,
  };
}
