/** What the final PDF holds, as its own pages list it. */
import { createHash } from 'node:crypto';
import type { ContentsLine } from '../templates/agreement.ts';
import type { HashedInput } from '../templates/certificate.ts';
import { type InputFacts, languagesOf } from '../templates/facts.ts';
import { html } from '../templates/html.ts';
import { certificateIn, LABELS, say, SENTENCES } from '../templates/sentences.ts';
import { ENGLISH, type Translated, wordsOf } from '../templates/words.ts';
import type { FinalParty, FinalPdfInput, RawFile } from '../types.ts';

/** The parts that we draw ourselves: the certificate in English, and in the languages that the parties read. */
export type Own = 'agreement' | 'signatures' | 'certificate' | Translated;
/** Pages of each of them that a file has; or where each begins. */
export type Counts = Readonly<Partial<Record<Own, number>>>;

/** In the order of the file; the uploaded files follow the agreement. */
export const ownParts = (input: FinalPdfInput): Own[] => [
  'agreement',
  'signatures',
  'certificate',
  ...languagesOf(input),
];

/** Where each of our parts begins, and how many pages there are in all. */
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

/** What stands where: the lines of the first page's contents. */
export function contentsLines(
  input: FinalPdfInput,
  files: readonly number[],
  pages: Counts,
  first: Counts,
): ContentsLine[] {
  const own = (part: Own) => ({ first: first[part] ?? 0, count: pages[part] ?? 0 });
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

/** The photo that is drawn, the eye photo that is not, the signature, and the statement of the approval. */
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

/** Every input with its hash, as the certificate lists them. */
export function hashedInputs(input: FinalPdfInput): HashedInput[] {
  const creator = input.parties.find(({ role }) => role === 'primary')?.name;
  return [...input.files.flatMap((file) => inputsOfFile(file, creator)), ...input.parties.flatMap(inputsOf)];
}

/** A file, and the pages that were made of it when it was uploaded. */
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
    ...(pages ? [{ name, is: { pages: true as const }, sha256: pages.sha256.toLowerCase() }] : []),
  ];
}
