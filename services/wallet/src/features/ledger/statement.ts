/** A wallet's statement as CSV (RFC 4180) or as a printed page. */
import type { Readable } from 'node:stream';
import { toRupees } from '@karaar/contracts/charge';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import { movementMessage } from '@karaar/contracts/movement-words';
import { issuerFacts, type Company } from '@karaar/base/config';
import { csvStream, csvTime } from '@karaar/base/csv';
import { indianLocale } from '@karaar/base/texts';
import type { Movement, MovementFilter } from './ledger.repository.ts';
import { say, type Key } from './texts.ts';

const COLUMNS = [
  'Date (India time)',
  'Description',
  'Type',
  'Amount (INR)',
  'Balance (INR)',
  'Transaction ID',
];

const rupees = (paise: number): string => toRupees(paise).toFixed(2);

/** Returns one line: 2026-11-21 09:30:00, text, credit, 100.00, 250.00, id. */
export const statementLine = (movement: Movement): string[] => [
  csvTime(movement.createdAt),
  movement.description,
  movement.amountPaise > 0 ? 'credit' : 'debit',
  rupees(Math.abs(movement.amountPaise)),
  rupees(movement.balancePaise),
  movement.id,
];

export const statementCsv = (movements: AsyncIterable<Movement>): Readable =>
  csvStream(COLUMNS, movements, statementLine);

const INDIAN = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const shown = (paise: number): string => `₹${INDIAN.format(toRupees(paise))}`;
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/** Returns India's date formats: 1 Apr 2026, 9:05 am; other languages use 24 hours, which needs no words. */
function datesIn(language: Language) {
  const [locale, timeZone] = [indianLocale(language), 'Asia/Kolkata'];
  const clock = language === 'en' ? {} : { hourCycle: 'h23' as const };
  const format = { dateStyle: 'medium', timeZone } as const;
  const moment = new Intl.DateTimeFormat(locale, { ...format, timeStyle: 'short', ...clock });
  return { moment, day: new Intl.DateTimeFormat(locale, format) };
}
/** @param iso 2026-04-01 */
const noonOf = (iso: string): Date => new Date(`${iso}T12:00:00+05:30`);

/**
 * Returns a statement as a page to print, in one language.
 * @param movements oldest first
 * @param now the time of printing
 * @param issuer the company named on it
 */
export function statementSheet(
  charId: string,
  { from, to }: MovementFilter,
  movements: readonly Movement[],
  { now, issuer, language }: { now: Date; issuer: Company; language: Language },
): AccountSheet {
  const t = (key: Key, values?: Record<string, string>): string => say(language, key, values);
  const { moment, day } = datesIn(language);
  const [first, last] = [movements.at(0), movements.at(-1)];
  const total = (sign: 1 | -1) =>
    movements.reduce((sum, { amountPaise }) => (amountPaise * sign > 0 ? sum + amountPaise * sign : sum), 0);
  const until = day.format(to ? noonOf(to) : now);
  return {
    language,
    part: t('title'),
    title: t('title'),
    lead: from ? t('lead', { from: day.format(noonOf(from)), to: until }) : t('leadUntil', { to: until }),
    reference: grouped(charId),
    facts: [
      { label: t('openingBalance'), value: first ? shown(first.balancePaise - first.amountPaise) : '–' },
      { label: t('moneyIn'), value: shown(total(1)) },
      { label: t('moneyOut'), value: shown(total(-1)) },
      { label: t('closingBalance'), value: last ? shown(last.balancePaise) : '–' },
      ...issuerFacts(issuer, { issuedBy: t('issuedBy'), address: t('address'), gstin: t('gstin') }),
    ],
    columns: [
      { title: t('date'), numeric: false },
      { title: t('details'), numeric: false },
      { title: t('moneyIn'), numeric: true },
      { title: t('moneyOut'), numeric: true },
      { title: t('balance'), numeric: true },
    ],
    rows: movements.map(({ createdAt, description, amountPaise, balancePaise }) => [
      moment.format(createdAt),
      whatFor(description, language),
      amountPaise > 0 ? shown(amountPaise) : '',
      amountPaise < 0 ? shown(-amountPaise) : '',
      shown(balancePaise),
    ]),
    note: language === 'en' ? t('note') : `${t('note')} ${t('translation')}`,
  };
}

/** Translates the ledger's English descriptions; one without a translation stays as it is. */
function whatFor(description: string, language: Language): string {
  const message = language === 'en' ? null : movementMessage(description);
  if (!message) return description;
  return say(language, message.key, 'values' in message ? message.values : {});
}

/** Returns karaar-statement-9H4TR2WK-from-2026-04-01-to-2026-04-30.csv, with the requested ends only. */
export function statementName(
  charId: string,
  { from, to }: MovementFilter,
  extension: 'csv' | 'pdf',
): string {
  const period = [from && `-from-${from}`, to && `-to-${to}`].filter(Boolean).join('');
  return `karaar-statement-${charId}${period}.${extension}`;
}
