/** Formats dates, money and codes for the final PDF: Indian time and grouping, Latin digits. */
import type { Language } from '@karaar/contracts/limits';

const DAY = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const momentFormat = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: 'Asia/Kolkata',
  });
const MOMENT = momentFormat('en-IN');
const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "21 Nov 2026" for a calendar day YYYY-MM-DD; a longer ISO text is taken by its day. */
export function day(iso: string): string {
  return DAY.format(new Date(`${iso.slice(0, 10)}T00:00:00Z`));
}

/** "21 Nov 2026": the day in India of an ISO 8601 instant. */
export function dayOf(iso: string): string {
  return MOMENT.format(new Date(iso)).split(',')[0] ?? '';
}

/** "21 Nov 2026, 14:05:09 IST" for an ISO 8601 instant. */
export function moment(iso: string): string {
  return `${MOMENT.format(new Date(iso))} IST`;
}

/** {@link moment} as a language writes it: "21 नव॰ 2026, 14:05:09 IST". */
export function momentIn(language: Language): (iso: string) => string {
  const format = momentFormat(`${language}-IN-u-nu-latn`);
  return (iso) => `${format.format(new Date(iso))} IST`;
}

/** "₹1,00,000.00" for an amount in paise. */
export function rupees(paise: number): string {
  return `₹${RUPEES.format(paise / 100)}`;
}

export function grouped(code: string): string {
  return code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;
}

/** "1 day", "7 days". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** "page 3", "pages 3–7". */
export function pageSpan(first: number, count: number): string {
  return count <= 1 ? `${first}` : `${first}–${first + count - 1}`;
}
