/** Detects a wrong clock of the device, and formats its error. */
import { activeLocale } from '@karaar/i18n';

const DAY_MS = 24 * 60 * 60_000;
const UNITS = [
  { unit: 'day', ms: DAY_MS },
  { unit: 'hour', ms: 60 * 60_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/**
 * Returns `3 days`, `26 hours` or `15 minutes`, in the reader's language.
 * @param ms of either sign
 */
export function lengthInWords(ms: number): string {
  const length = Math.abs(ms);
  // A single large unit would be too coarse.
  const { unit, ms: of } = UNITS.find((each) => length >= 2 * each.ms) ?? UNITS[2];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(activeLocale(), style).format(Math.round(length / of));
}

/**
 * Returns true if the device's clock shows a day before the one on which its browser last fetched the app:
 * then it is certainly wrong, and browsers refuse secure connections, whose certificates begin later. False
 * if nothing is stored.
 */
export async function isClockBehind(stored: CacheStorage | undefined = globalThis.caches): Promise<boolean> {
  try {
    const page = await stored?.match('/');
    return Date.now() < Date.parse(page?.headers.get('date') ?? '') - DAY_MS;
  } catch {
    // The browser refuses storage, so the clock cannot be checked.
    return false;
  }
}
