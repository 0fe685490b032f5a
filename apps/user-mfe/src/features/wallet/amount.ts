/** What a top-up may be (spec §5 Wallet top-up). */
import { TOP_UP_MAX_RUPEES } from '@karaar/contracts/limits';

export type ParsedAmount = { ok: true; rupees: number } | { ok: false; fault: 'badAmount' | 'tooMuch' };

/** Reads a typed amount: above 0, at most 1,00,000, rounded to whole paise. */
export function parseAmount(typed: string): ParsedAmount {
  const rupees = Math.round(Number(typed) * 100) / 100;
  if (typed.trim() === '' || !Number.isFinite(rupees) || rupees <= 0)
    return { ok: false, fault: 'badAmount' };
  return rupees > TOP_UP_MAX_RUPEES ? { ok: false, fault: 'tooMuch' } : { ok: true, rupees };
}
