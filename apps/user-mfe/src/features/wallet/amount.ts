/** The rules of a top-up amount (spec §5 Wallet top-up). */
import { readAmount } from '@karaar/contracts/typed/amount';
import { TOP_UP_MAX_RUPEES, TOP_UP_MIN_RUPEES } from '@karaar/contracts/limits';

export type ParsedAmount = { ok: true; rupees: number } | { ok: false; fault: 'badAmount' | 'tooMuch' };

/** Parses a typed amount: from 1 to 1,00,000, in whole paise. More decimals are refused, never rounded. */
export function parseAmount(typed: string): ParsedAmount {
  const rupees = Number(readAmount(typed) ?? 0);
  if (rupees < TOP_UP_MIN_RUPEES) return { ok: false, fault: 'badAmount' };
  return rupees > TOP_UP_MAX_RUPEES ? { ok: false, fault: 'tooMuch' } : { ok: true, rupees };
}
