/** What a top-up may be (spec §5 Wallet top-up). */
import { TOP_UP_MAX_RUPEES, TOP_UP_MIN_RUPEES } from '@karaar/contracts/limits';

export type ParsedAmount = { ok: true; rupees: number } | { ok: false; fault: 'badAmount' | 'tooMuch' };

/** Reads a typed amount: from 1 to 1,00,000, in whole paise. What has more decimals is never rounded to money. */
export function parseAmount(typed: string): ParsedAmount {
  const rupees = Number(typed);
  const isMoney = Number.isFinite(rupees) && Number(rupees.toFixed(2)) === rupees;
  if (typed.trim() === '' || !isMoney || rupees < TOP_UP_MIN_RUPEES) return { ok: false, fault: 'badAmount' };
  return rupees > TOP_UP_MAX_RUPEES ? { ok: false, fault: 'tooMuch' } : { ok: true, rupees };
}
