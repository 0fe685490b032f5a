/** The rules for shares of the charge (spec §5 Distribution); pure. */
import { readPlain } from '@karaar/contracts/typed/read';
import type { KeyOf } from '@karaar/i18n';
import type en from '../../../shared/catalogs/detail/texts/en.json';

/** Accepts digits of any script, a comma as the decimal point, and a percent sign. */
const plain = (typed: string): string => readPlain(typed).replace(/[%٪]/, '').trim().replace(/[,٫]/, '.');

/** Returns the typed number with at most two decimals; null for any other text. */
export function percentOf(typed: string): number | null {
  const text = plain(typed);
  if (text === '') return 0;
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : null;
}

/** Returns the typed text, limited to 0 to 100; unchanged while it is not a number. */
export function limited(typed: string): string {
  const number = Number(plain(typed));
  if (number > 100) return '100';
  return number < 0 ? '0' : typed;
}

/** Returns true if the shares exceed 100, so that no further share can fix it. */
export const isOver = (percentages: readonly (number | null)[]): boolean =>
  Math.round(totalOf(percentages.map((each) => each ?? 0)) * 100) > 10_001;

export const totalOf = (percentages: readonly number[]): number =>
  percentages.reduce((sum, each) => sum + Math.round(each * 100), 0) / 100;

/** Returns why the shares are invalid, or null. */
export function distributionFault(percentages: readonly (number | null)[]): KeyOf<typeof en> | null {
  const valid = percentages.filter((each) => each !== null && each <= 100);
  if (valid.length < percentages.length) return 'shareRange';
  if (isOver(valid)) return 'shareOver';
  return Math.round(totalOf(valid as number[]) * 100) < 9_999 ? 'shareNot100' : null;
}

/** Returns equal shares; the first takes the remainder: 33.34, 33.33, 33.33. */
export function evenShares(count: number): number[] {
  const each = Math.floor(10_000 / count) / 100;
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? totalOf([100, -each * (count - 1)]) : each,
  );
}
