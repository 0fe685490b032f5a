import type { Language } from '@karaar/contracts/limits';
import type { Counts } from './contents.ts';
import type { FinalPdfInput } from '../types.ts';
import { languagesOf } from '../templates/facts.ts';

/**
 * Estimates how many pages the parts that Karaar draws take, from the heights of the template pieces
 * (millimetres, Latin text). A wrong estimate costs a second print, never a wrong page number.
 */
export function estimatePages(
  input: FinalPdfInput,
): Counts & Record<'agreement' | 'signatures' | 'certificate', number> {
  const { document: d } = input;
  const lines = (text: string, perLine: number): number =>
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);

  const agreement =
    94 +
    lines(d.name, 34) * 10 +
    Math.ceil(input.parties.length / 2) * 20 +
    (d.description ? 12 + lines(d.description, 92) * 6 : 0) +
    (d.pageDetails.length > 0
      ? 16 + d.pageDetails.reduce((sum, p) => sum + lines(p.description, 78) * 6 + 3, 0)
      : 0);
  const languages = languagesOf(input);
  const contents = 18 + (input.files.length + 3 + languages.length) * 8.4;
  // A short table of contents moves to the next page as a whole.
  const agreementPages =
    input.files.length + languages.length <= 13
      ? pagesWhole(agreement, contents)
      : pagesOf(agreement + contents);

  const { parties } = input;
  const statements = parties.filter(({ approval }) => approval?.statementSha256).length;
  const noticed = parties.reduce((sum, party) => sum + Object.keys(party.noticed ?? {}).length, 0);
  const certificate =
    222 +
    parties.length * 13.7 +
    parties.filter(({ approval }) => approval?.by).length * 4.4 +
    (noticed > 0 ? 11 + noticed * 9.5 : 0) +
    input.auditTrail.reduce(
      (sum, { actor, action, detail }) =>
        sum + lines(`${actor} ${action} ${' '.repeat(22)}`, 98) * 5.3 + (detail ? 7.6 : 3),
      0,
    ) +
    (2 * input.files.length + 3 * parties.length + statements) * 8.2;
  const law = (language: Language): number =>
    (input.law?.[language] ?? input.law?.en)?.lines.reduce(
      (sum, { text }) => sum + lines(text, PER_LINE[language] ?? 90) * 4.6 + 1,
      12,
    ) ?? 0;
  const onFirst = 4;
  const more = Math.max(0, input.parties.length - onFirst);
  return {
    agreement: agreementPages,
    signatures: 1 + Math.ceil(more / onFirst),
    certificate: pagesOf(certificate + law('en') + (languages.length > 0 ? 18 : 0)),
    ...Object.fromEntries(
      languages.map((one) => [one, pagesOf(certificate * (TALLER[one] ?? 1) + law(one))]),
    ),
  };
}

/** Letters of the words about the law in a line; in the other languages 90. */
const PER_LINE: Partial<Record<Language, number>> = { en: 110, ta: 50 };

/** Tamil needs more lines than English; the other languages do not. */
const TALLER: Partial<Record<Language, number>> = { ta: 1.12 };

/** The height of the header of a part, which is on each of its pages. */
const HEAD = 15;
const ROOM = 264 - HEAD;

const pagesOf = (height: number): number => Math.ceil((height - HEAD) / ROOM);

function pagesWhole(before: number, last: number): number {
  const full = pagesOf(before);
  return full * ROOM + HEAD - before >= last ? full : full + 1;
}
