/** Splits a total by percentages. Pure (spec §5 Distribution, design §3 Days and money). */
import { overHundred, percentageOutside, twice, unequalHundred } from './charges.errors.ts';

export type Portion = { userId: string; percentage: number };
export type Share = Portion & { amountPaise: number };
/** `beforePaise`: the amount before its last change; null for a share that never changed. */
export type SetShare = Share & { beforePaise: number | null };

/** "The total must equal 100 within 0.01." */
const TOLERANCE = 0.01;

/** Throws 422 with the spec's text for invalid percentages. */
export function checkPortions(portions: readonly Portion[]): void {
  if (new Set(portions.map((portion) => portion.userId)).size !== portions.length) throw twice();
  if (portions.some(({ percentage }) => !(percentage >= 0 && percentage <= 100))) throw percentageOutside();
  const total = portions.reduce((sum, portion) => sum + portion.percentage, 0);
  // Tolerates the rounding error of binary fractions: 99.99 is within 0.01 of 100.
  if (total - 100 > TOLERANCE + 1e-9) throw overHundred();
  if (100 - total > TOLERANCE + 1e-9) throw unequalHundred();
}

/**
 * Returns shares by largest remainder: they sum to the total exactly, and each is off by less than a paisa.
 */
export function splitTotal(totalPaise: number, portions: readonly Portion[]): Share[] {
  const sum = portions.reduce((all, portion) => all + portion.percentage, 0);
  const exact = portions.map((portion) => (totalPaise * portion.percentage) / sum);
  const shares = portions.map((portion, i) => ({ ...portion, amountPaise: Math.floor(exact[i] ?? 0) }));
  let rest = totalPaise - shares.reduce((all, share) => all + share.amountPaise, 0);
  const byRemainder = shares
    .map((share, i) => ({ share, remainder: (exact[i] ?? 0) - share.amountPaise }))
    .sort((a, b) => b.remainder - a.remainder);
  for (const { share } of byRemainder) {
    if (rest === 0) break;
    share.amountPaise += 1;
    rest -= 1;
  }
  return shares;
}

/** Returns new shares with what each was before its last change, by the shares that they replace. */
export function afterShares(replaced: readonly SetShare[], shares: readonly Share[]): SetShare[] {
  return shares.map((share) => {
    const old = replaced.find(({ userId }) => userId === share.userId);
    const isSame = old?.amountPaise === share.amountPaise;
    return { ...share, beforePaise: (isSame ? old.beforePaise : old?.amountPaise) ?? null };
  });
}
