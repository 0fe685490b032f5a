/** Spans of time as ranges of ids: a UUIDv7 begins with its milliseconds, so that a range of ids is a range of time. */

/** A partition's time: a whole number of months of UTC, `months` of them. */
export type Span = { name: string; from: Date; to: Date };

/** The span that a moment is in. Spans of a year begin in January, of three months in January, April and so on. */
export function spanOf(moment: Date, months: number): Span {
  const count = moment.getUTCFullYear() * 12 + moment.getUTCMonth();
  return spanFrom(count - (count % months), months);
}

/** The span right after one. */
export const nextSpan = ({ to }: Span, months: number): Span => spanOf(to, months);

function spanFrom(count: number, months: number): Span {
  const start = (at: number): Date => new Date(Date.UTC(Math.floor(at / 12), at % 12));
  const from = start(count);
  const name = from.toISOString().slice(0, 7).replace('-', '_');
  return { name, from, to: start(count + months) };
}

/** The smallest id of a moment; every UUIDv7 made then or later is not below it. */
export function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The moment at which a span's bound lies. @throws on a value that is not an id */
export function momentOf(id: string): Date {
  const ms = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(id)
    ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new Error('A bound of a partition is not an id');
  return new Date(ms);
}
