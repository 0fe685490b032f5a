/**
 * Time spans as id ranges: a UUIDv7 begins with its timestamp in milliseconds, so a range of ids is a range
 * of time.
 */

/** The time of a partition: `months` whole months in UTC. */
export type Span = { name: string; from: Date; to: Date };

/**
 * Returns the span that contains a moment. Spans of a year begin in January, of three months in January,
 * April and so on.
 */
export function spanOf(moment: Date, months: number): Span {
  const count = moment.getUTCFullYear() * 12 + moment.getUTCMonth();
  return spanFrom(count - (count % months), months);
}

/** Returns the spans from that of `first` to that of `last`, oldest first. */
export function spansBetween(first: Date, last: Date, months: number): Span[] {
  const spans: Span[] = [];
  for (let span = spanOf(first, months); span.from <= last; span = spanOf(span.to, months)) spans.push(span);
  return spans;
}

/** Returns the begin of the month `months` after a moment's: also on the 31st, whatever the months' lengths. */
export const monthAfter = (moment: Date, months: number): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months));

function spanFrom(count: number, months: number): Span {
  const start = (at: number): Date => new Date(Date.UTC(Math.floor(at / 12), at % 12));
  const from = start(count);
  const name = from.toISOString().slice(0, 7).replace('-', '_');
  return { name, from, to: start(count + months) };
}

/** Returns the smallest id of a moment; no UUIDv7 made then or later is below it. */
export function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns the moment of a span's bound. @throws Error for a value that is not an id */
export function momentOf(id: string): Date {
  const ms = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(id)
    ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new Error('A bound of a partition is not an id');
  return new Date(ms);
}
