/** A wallet's statement as a spreadsheet reads it (RFC 4180). */
import { Readable, type Readable as Stream } from 'node:stream';
import { toRupees } from '@karaar/contracts/charge';
import { stringify } from 'csv-stringify';
import type { Movement, MovementFilter } from './ledger.repository.ts';

const COLUMNS = [
  'Date (India time)',
  'Description',
  'Type',
  'Amount (INR)',
  'Balance (INR)',
  'Transaction ID',
];

const indiaTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Kolkata',
  dateStyle: 'short',
  timeStyle: 'medium',
});

const rupees = (paise: number): string => toRupees(paise).toFixed(2);

/** @param movement one line: 2026-11-21 09:30:00, text, credit, 100.00, 250.00, id */
export const statementLine = (movement: Movement): string[] => [
  indiaTime.format(movement.createdAt),
  movement.description,
  movement.amountPaise > 0 ? 'credit' : 'debit',
  rupees(Math.abs(movement.amountPaise)),
  rupees(movement.balancePaise),
  movement.id,
];

/**
 * Streams a statement, UTF-8 with a byte order mark, without which Excel misreads names in Indian scripts. A text
 * that a spreadsheet would run as a formula is quoted as text: descriptions carry names that people chose.
 */
export function statementCsv(movements: AsyncIterable<Movement>): Stream {
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  });
  const lines = Readable.from(linesOf(movements));
  lines.once('error', (error) => csv.destroy(error));
  csv.once('close', () => lines.destroy());
  return lines.pipe(csv);
}

async function* linesOf(movements: AsyncIterable<Movement>): AsyncGenerator<string[]> {
  for await (const movement of movements) yield statementLine(movement);
}

/** karaar-statement-9H4TR2WK-2026-04-01-to-2026-04-30.csv; the ends that were asked for. */
export function statementName(charId: string, { from, to }: MovementFilter): string {
  const period = [from && `from-${from}`, to && `to-${to}`].filter(Boolean).map((part) => `-${String(part)}`);
  return `karaar-statement-${charId}${period.join('')}.csv`;
}
