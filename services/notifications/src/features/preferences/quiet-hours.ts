/** Hours in which a user gets no e-mails, in India's time zone. Pure. */

export type QuietHours = { from: number; until: number };

/** India has no daylight saving time. */
const INDIA_MS = 5.5 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the moment, or the end of the quiet hours that contain it. If `from` equals `until`, there are no
 * quiet hours.
 */
export function afterQuietHours(moment: Date, quiet: QuietHours | null): Date {
  if (!quiet || quiet.from === quiet.until) return moment;
  const india = moment.getTime() + INDIA_MS;
  const midnight = Math.floor(india / DAY_MS) * DAY_MS;
  const hour = Math.floor((india - midnight) / HOUR_MS);
  const overnight = quiet.from > quiet.until;
  const isQuiet = overnight
    ? hour >= quiet.from || hour < quiet.until
    : hour >= quiet.from && hour < quiet.until;
  if (!isQuiet) return moment;
  const nextDay = overnight && hour >= quiet.from ? DAY_MS : 0;
  return new Date(midnight + nextDay + quiet.until * HOUR_MS - INDIA_MS);
}
