/** The contents of the final PDF, as its own pages list them. */
import { createHash } from 'node:crypto';
import type { ContentsLine } from '../templates/agreement.ts';
import type { HashedInput } from '../templates/certificate.ts';
import { type InputFacts, languagesOf } from '../templates/facts.ts';
import { html } from '../templates/html.ts';
import { certificateIn, LABELS, say, SENTENCES } from '../templates/sentences.ts';
import { ENGLISH, type Translated, wordsOf } from '../templates/words.ts';
import type { FinalParty, FinalPdfInput, RawFile } from '../types.ts';

/**
 * The parts that Karaar draws: the agreement, the signatures, and the certificate in English and in the
 * languages of the parties.
 */
export type Own = 'agreement' | 'signatures' | 'certificate' | Translated;
/** The number of pages, or the first page, of each part. */
export type Counts = Readonly<Partial<Record<Own, number>>>;

/** Returns the parts that Karaar draws, in the order of the file; uploaded files follow the agreement. */
export const ownParts = (input: FinalPdfInput): Own[] => [
  'agreement',
  'signatures',
  'certificate',
  ...languagesOf(input),
];

/** Returns the first page of each part that Karaar draws, and the total number of pages. */
export function numbered(
  own: readonly Own[],
  pages: Counts,
  files: readonly number[],
): { first: Counts; total: number } {
  const first: Partial<Record<Own, number>> = {};
  let next = 1;
  for (const part of own) {
    first[part] = next;
    next += pages[part] ?? 0;
    if (part === 'agreement') next += files.reduce((sum, count) => sum + count, 0);
  }
  return { first, total: next - 1 };
}

/** Returns the lines of the table of contents on the first page. */
export function contentsLines(
  input: FinalPdfInput,
  files: readonly number[],
  pages: Counts,
  first: Counts,
): ContentsLine[] {
  const own = (id: Own) => ({ id, first: first[id] ?? 0, count: pages[id] ?? 0 });
  let next = 1 + own('agreement').count;
  const raw = input.files.map((file, i) => {
    const count = files[i] ?? 0;
    const what = say(SENTENCES.inputFile, { file: file.kind }) ?? html``;
    const line = { title: html`${file.name}`, what, first: next, count };
    next += count;
    return line;
  });
  return [
    { title: LABELS.agreement, what: LABELS.ofAgreement, ...own('agreement') },
    ...raw,
    { title: LABELS.signatures, what: LABELS.ofSignatures, ...own('signatures') },
    { title: ENGLISH.say('certificate'), what: LABELS.ofCertificate, ...own('certificate') },
    ...languagesOf(input).map((language) => ({
      title: wordsOf(language).say('certificate'),
      what: certificateIn(language),
      ...own(language),
    })),
  ];
}

/** The face photo, the eye photo (which is not drawn), the signature, and the statement of the approval. */
function inputsOf({ name, photo, face, eye, signature, signMethod, approval }: FinalParty): HashedInput[] {
  const statement = approval?.statementSha256;
  return [
    { name, is: { faceSource: face.source }, sha256: hash(photo) },
    { name, is: { eyeSource: eye.source }, sha256: eye.sha256 },
    { name, is: { signMethod }, sha256: hash(signature) },
    ...(statement ? [{ name, is: { statement }, sha256: statement }] : []),
  ];
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns every input with its hash, as the certificate lists them. */
export function hashedInputs(input: FinalPdfInput): HashedInput[] {
  const creator = input.parties.find(({ role }) => role === 'primary')?.name;
  return [...input.files.flatMap((file) => inputsOfFile(file, creator)), ...input.parties.flatMap(inputsOf)];
}

function inputsOfFile(
  { name, kind, sha256, pages, pictures, leftOut }: RawFile,
  creator?: string,
): HashedInput[] {
  const is: InputFacts = {
    file: kind,
    ...(creator ? { acceptedBy: creator } : {}),
    ...(pictures ? { picturePages: pictures.pages } : {}),
    ...(pictures?.acceptedAt ? { acceptedAt: pictures.acceptedAt } : {}),
    ...(leftOut ? { leftOut: leftOut.parts } : {}),
    ...(leftOut?.acceptedAt ? { leftOutAcceptedAt: leftOut.acceptedAt } : {}),
  };
  return [
    { name, is, sha256: sha256.toLowerCase() },
    { name, is: { pages: true }, sha256: pages.sha256.toLowerCase() },
  ];
}
