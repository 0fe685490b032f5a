/**
 * How values look everywhere: rupees, dates in India's time, codes, file sizes; in the language in force, with Latin
 * digits.
 */
import { activeLocale } from '@karaar/i18n';
import { uiTexts } from '../texts.ts';

const kept = new Map<string, unknown>();

/** A formatter in the language in force, made once. */
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

/** Rupees with the sign and two decimals, grouped the Indian way: ₹1,00,000.00. */
export function money(rupees: number): string {
  const sign = rupees < 0 ? '−' : '';
  return `${sign}₹${rupeeFormat().format(Math.abs(rupees))}`;
}

/** Rupees without needless decimals, as in the spec's messages: ₹1, ₹7.50. */
export function shortMoney(rupees: number): string {
  return Number.isInteger(rupees) ? `₹${wholeFormat().format(rupees)}` : money(rupees);
}

/** A whole number, grouped the Indian way: 1,00,000. */
export const wholeNumber = (count: number): string => wholeFormat().format(count);

/** A balance to 2 decimals without a sign (coins). */
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

/**
 * Makes the formatters of the language in force. The first one in a page takes 30 ms on a fast computer (the browser
 * reads its data of languages then): the page does that while it waits for files, and not while it draws.
 */
export function prepareFormats(): void {
  for (const format of [rupeeFormat, wholeFormat, dateFormat, timeFormat]) format();
}

function parsed(iso: string): Date | null {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** 21 Nov 2026, in India's time; an empty text when there is no such date. */
export function formatDate(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  return date ? dateFormat().format(date) : '';
}

/** 5:30 am in India's time, in one piece; an empty text when there is no such date. */
export function formatTime(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  return date ? timeFormat().format(date).toLowerCase().replace(/\s/g, '\u00A0') : '';
}

/** 21 Nov 2026, 5:30 am; the time stays in one piece. */
export function formatDateTime(iso: string | null | undefined): string {
  const date = iso ? parsed(iso) : null;
  if (!date) return '';
  return `${dateFormat().format(date)}, ${formatTime(iso)}`;
}

/** A file size in KB or MB (spec §9). */
export function fileSize(bytes: number): string {
  const mb = bytes / (1024 * 1024);
  return mb >= 1 ? `${mb.toFixed(2)} MB` : `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
}

/** A file size always in MB, as the verification list has it. */
export const fileSizeMb = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(2)} MB`;

/** The beginning and the end of an id that nobody reads letter by letter; shorter ones stay. */
export const shortened = (id: string): string => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id);

/** An 8-character code in two groups of 4; other texts stay. */
export const grouped = (code: string): string =>
  code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;

/** Up to two initials of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** A user name with no value is shown as 'Unknown User' (spec §8). */
export const userName = (name: string | null | undefined): string =>
  name?.trim() || uiTexts.say('unknownUser');

/** The unread badge: the number up to 99, then 99+; nothing for none. */
export function badgeCount(count: number): string {
  if (count <= 0) return '';
  return count > 99 ? '99+' : String(count);
}
