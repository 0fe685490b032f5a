/** A wallet's statement: as a spreadsheet reads it (RFC 4180), or as a page to print. */
import type { Readable } from 'node:stream';
import { toRupees } from '@karaar/contracts/charge';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import { csvStream, csvTime } from '@karaar/platform/csv';
import type { Movement, MovementFilter } from './ledger.repository.ts';

const COLUMNS = [
  'Date (India time)',
  'Description',
  'Type',
  'Amount (INR)',
  'Balance (INR)',
  'Transaction ID',
];

const rupees = (paise: number): string => toRupees(paise).toFixed(2);

/** @param movement one line: 2026-11-21 09:30:00, text, credit, 100.00, 250.00, id */
export const statementLine = (movement: Movement): string[] => [
  csvTime(movement.createdAt),
  movement.description,
  movement.amountPaise > 0 ? 'credit' : 'debit',
  rupees(Math.abs(movement.amountPaise)),
  rupees(movement.balancePaise),
  movement.id,
];

/** Streams a statement as CSV. */
export const statementCsv = (movements: AsyncIterable<Movement>): Readable =>
  csvStream(COLUMNS, movements, statementLine);

const INDIAN = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const shown = (paise: number): string => `₹${INDIAN.format(toRupees(paise))}`;
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/**
 * The same as a page of account.
 *
 * @param movements oldest first
 * @param now when it is made
 */
export function statementSheet(
  charId: string,
  { from, to }: MovementFilter,
  movements: readonly Movement[],
  now: Date,
): AccountSheet {
  const [first, last] = [movements.at(0), movements.at(-1)];
  const total = (sign: 1 | -1) =>
    movements.reduce((sum, { amountPaise }) => (amountPaise * sign > 0 ? sum + amountPaise * sign : sum), 0);
  const period = `${from ?? 'the beginning'} to ${to ?? csvTime(now).slice(0, 10)}`;
  return {
    part: 'Wallet statement',
    title: 'Wallet statement',
    lead: `All movements from ${period}, oldest first. Times are India's.`,
    reference: grouped(charId),
    facts: [
      { label: 'Opening balance', value: first ? shown(first.balancePaise - first.amountPaise) : '–' },
      { label: 'Money in', value: shown(total(1)) },
      { label: 'Money out', value: shown(total(-1)) },
      { label: 'Closing balance', value: last ? shown(last.balancePaise) : '–' },
    ],
    columns: [
      { title: 'Date', numeric: false },
      { title: 'Description', numeric: false },
      { title: 'In', numeric: true },
      { title: 'Out', numeric: true },
      { title: 'Balance', numeric: true },
    ],
    rows: movements.map(({ createdAt, description, amountPaise, balancePaise }) => [
      csvTime(createdAt),
      description,
      amountPaise > 0 ? shown(amountPaise) : '',
      amountPaise < 0 ? shown(-amountPaise) : '',
      shown(balancePaise),
    ]),
    note: 'One coin is one Indian rupee. This statement was made by a computer and needs no signature.',
  };
}

/** karaar-statement-9H4TR2WK-from-2026-04-01-to-2026-04-30.csv; the ends that were asked for. */
export function statementName(
  charId: string,
  { from, to }: MovementFilter,
  extension: 'csv' | 'pdf',
): string {
  const period = [from && `-from-${from}`, to && `-to-${to}`].filter(Boolean).join('');
  return `karaar-statement-${charId}${period}.${extension}`;
}
