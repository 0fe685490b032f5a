import type { Document } from '@karaar/contracts/documents/http';

const DAY_MS = 86_400_000;
/** As the notification of the end. */
const DAYS_BEFORE = 30;
const DAYS_AFTER = 90;

/**
 * Returns whether a sealed agreement ends soon or has ended lately, so that its page offers a renewal.
 * @param today `YYYY-MM-DD` in India
 */
export function endsSoon(
  { status, end_date }: Pick<Document, 'status' | 'end_date'>,
  today: string,
): 'soon' | 'ended' | null {
  if (status !== 'finalized' || !end_date) return null;
  const days = (Date.parse(end_date) - Date.parse(today)) / DAY_MS;
  if (days > DAYS_BEFORE || days < -DAYS_AFTER) return null;
  return days < 0 ? 'ended' : 'soon';
}
