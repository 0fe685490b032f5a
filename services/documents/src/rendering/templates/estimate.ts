import type { FinalPdfInput } from '../types.ts';

/**
 * How many pages our own parts will probably take, from the heights that the templates give their pieces
 * (millimetres, Latin text). Only a first guess: a wrong one costs a second print, never a wrong number.
 */
export function estimatePages(input: FinalPdfInput): {
  agreement: number;
  signatures: number;
  certificate: number;
} {
  const { document: d } = input;
  const lines = (text: string, perLine: number): number =>
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);

  const agreement =
    88 +
    lines(d.name, 34) * 10 +
    Math.ceil(input.parties.length / 2) * 17 +
    (d.description ? 12 + lines(d.description, 92) * 6 : 0) +
    (d.pageDetails.length > 0
      ? 16 + d.pageDetails.reduce((sum, p) => sum + lines(p.description, 78) * 6 + 3, 0)
      : 0);
  const contents = 18 + (input.files.length + 3) * 8.4;
  // A short list of contents is not broken: it goes to the next page as a whole.
  const agreementPages =
    input.files.length <= 13 ? pagesWhole(agreement, contents) : Math.ceil((agreement + contents) / ROOM);

  const certificate =
    146 +
    input.auditTrail.reduce((sum, entry) => sum + (entry.detail ? 13 : 8.4), 0) +
    (input.files.length + 2 * input.parties.length) * 8.6;
  const onFirst = 4;
  const more = Math.max(0, input.parties.length - onFirst);
  return {
    agreement: agreementPages,
    signatures: 1 + Math.ceil(more / onFirst),
    certificate: Math.ceil(certificate / ROOM),
  };
}

/** Height of a page between its margins. */
const ROOM = 264;

function pagesWhole(before: number, last: number): number {
  const full = Math.ceil(before / ROOM);
  return full * ROOM - before >= last ? full : full + 1;
}
