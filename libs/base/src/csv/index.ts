import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * Streams rows in UTF-8 with a byte order mark, without which Excel misreads names in Indian scripts. A cell
 * that a spreadsheet would run as a formula is quoted as text, since users choose the content of cells.
 * Closing the stream stops the reading of rows.
 *
 * @param line returns the cells of a row
 */
export function csvStream<R>(
  columns: readonly string[],
  rows: AsyncIterable<R>,
  line: (row: R) => string[],
): Readable {
  const csv = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    // A single line-break character in a cell would otherwise begin a new row.
    quoted_match: /[\r\n]/,
  });
  const lines = Readable.from(mapped(rows, line));
  lines.once('error', (error) => csv.destroy(error));
  csv.once('close', () => lines.destroy());
  return lines.pipe(csv);
}

const indiaTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Kolkata',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** 2026-11-21 09:30:00, India's time. */
export const csvTime = (date: Date): string => indiaTime.format(date);

/** Returns the response of an export: `karaar-documents-2026-11-21.csv`. */
export const csvAnswer = <R>(
  name: string,
  columns: readonly string[],
  rows: AsyncIterable<R>,
  line: (row: R) => string[],
) => ({
  body: csvStream(columns, rows, line),
  mime: 'text/csv; charset=utf-8',
  filename: `karaar-${name}-${csvTime(new Date()).slice(0, 10)}.csv`,
  download: true,
});

async function* mapped<R>(rows: AsyncIterable<R>, line: (row: R) => string[]): AsyncGenerator<string[]> {
  for await (const row of rows) yield line(row);
}
