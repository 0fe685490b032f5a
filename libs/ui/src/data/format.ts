/**
 * Formats values: rupees, dates in Indian time, codes, file sizes; in the present language, with Latin
 * digits.
 */
import { activeLocale } from '@karaar/i18n';
import { uiTexts } from '../texts.ts';

const kept = new Map<string, unknown>();

function inLanguage<F>(kind: string, make: (locale: string) => F): () => F {
  return () => {
    const locale = activeLocale();
    const key = `${kind} ${locale}`;
    if (!kept.has(key)) kept.set(key, make(locale));
    return kept.get(key) as F;
  };
}

const rupeeFormat = inLanguage(
  'rupees',
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const wholeFormat = inLanguage('whole', (locale) => new Intl.NumberFormat(locale));

/** Returns rupees with the sign and two decimals, in Indian grouping: ₹1,00,000.00. */
export function money(rupees: number): string {
  const sign = rupees < 0 ? '−' : '';
  return `${sign}₹${rupeeFormat().format(Math.abs(rupees))}`;
}

/** Returns rupees without needless decimals, as in the spec's messages: ₹1, ₹7.50. */
export function shortMoney(rupees: number): string {
  return Number.isInteger(rupees) ? `₹${wholeFormat().format(rupees)}` : money(rupees);
}

/** Returns a whole number in Indian grouping: 1,00,000. */
export const wholeNumber = (count: number): string => wholeFormat().format(count);

/** Returns a balance with 2 decimals and without a sign (coins). */
export const coins = (rupees: number): string => rupeeFormat().format(rupees);

const zone = { timeZone: 'Asia/Kolkata' } as const;
const dateFormat = inLanguage(
  'date',
  (locale) => new Intl.DateTimeFormat(locale, { ...zone, day: 'numeric', month: 'short', year: 'numeric' }),
);
const timeFormat = inLanguage(
  'time',
  (locale) => new Intl.DateTimeFormat(locale, { ...zone, hour: 'numeric', minute: '2-digit', hour12: true }),
);

function parsed(iso: string): Date | null {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Returns 21 Nov 2026, in Indian time; '' for a missing date. */
export function formatDate(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  return date ? dateFormat().format(date) : '';
}

/** Returns 5:30 am, in Indian time, without a line break; '' for a missing date. */
export function formatTime(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  return date ? timeFormat().format(date).toLowerCase().replace(/\s/g, '\u00A0') : '';
}

/** Returns 21 Nov 2026, 5:30 am; the time has no line break. */
export function formatDateTime(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  if (!date) return '';
  return `${dateFormat().format(date)}, ${formatTime(iso)}`;
}

/** Returns a file size in KB or MB (spec §9). */
export function fileSize(bytes: number): string {
  const mb = bytes / (1024 * 1024);
  return mb >= 1 ? `${mb.toFixed(2)} MB` : `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
}

/** Returns a file size in MB, for the verification list. */
export const fileSizeMb = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(2)} MB`;

/** Returns the beginning and the end of a long id; shorter ones unchanged. */
export const shortened = (id: string): string => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id);

/** Returns an 8-character code in two groups of 4; other texts unchanged. */
export const grouped = (code: string): string =>
  code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;

/** Returns up to two initials of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Returns a user name; 'Unknown User' for an empty one (spec §8). */
export const userName = (name: string | null | undefined): string =>
  name?.trim() || uiTexts.say('unknownUser');

/** Returns the unread badge: the number up to 99, then 99+; '' for 0. */
export function badgeCount(count: number): string {
  if (count <= 0) return '';
  return count > 99 ? '99+' : String(count);
}
