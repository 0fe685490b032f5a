/** How the charge is shared out, as the form checks it (spec §5 Distribution); pure. */
import { readDigits } from '@karaar/contracts/typed/read';
import type { KeyOf } from '@karaar/i18n';
import type en from '../../../shared/catalogs/detail/texts/en.json';

/** Digits of any script; a comma for the point, and the sign that is before the field anyway. */
const plain = (typed: string): string => readDigits(typed).replace('%', '').trim().replace(',', '.');

/** The typed text as a number with at most two decimals; null for any other text. */
export function percentOf(typed: string): number | null {
  const text = plain(typed);
  if (text === '') return 0;
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : null;
}

/** The typed text, kept within 0 to 100; a text that is not a number yet stays as it is. */
export function limited(typed: string): string {
  const number = Number(plain(typed));
  if (number > 100) return '100';
  return number < 0 ? '0' : typed;
}

/** Whether they are more than a whole already, so that no further share can mend it. */
export const isOver = (percentages: readonly (number | null)[]): boolean =>
  Math.round(totalOf(percentages.map((each) => each ?? 0)) * 100) > 10_001;

export const totalOf = (percentages: readonly number[]): number =>
  percentages.reduce((sum, each) => sum + Math.round(each * 100), 0) / 100;

/** Why shares cannot be set up, or null. */
export function distributionFault(percentages: readonly (number | null)[]): KeyOf<typeof en> | null {
  const given = percentages.filter((each) => each !== null && each <= 100);
  if (given.length < percentages.length) return 'shareRange';
  if (isOver(given)) return 'shareOver';
  return Math.round(totalOf(given as number[]) * 100) < 9_999 ? 'shareNot100' : null;
}

/** The same for all, the first taking what cannot be divided: 33.34, 33.33, 33.33. */
export function evenShares(count: number): number[] {
  const each = Math.floor(10_000 / count) / 100;
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? totalOf([100, -each * (count - 1)]) : each,
  );
}
