/** What the final PDF holds, as its own pages list it. */
import { createHash } from 'node:crypto';
import type { ContentsLine } from './templates/agreement.ts';
import type { HashedInput } from './templates/certificate.ts';
import { photoWords } from './photo-words.ts';
import type { FinalParty, FinalPdfInput } from './types.ts';

/** The parts that we draw ourselves. */
export type Own = 'agreement' | 'signatures' | 'certificate';
/** Pages of each of them. */
export type Counts = Record<Own, number>;

const KIND_WORDS = { pdf: 'PDF', image: 'Image', doc: 'Word document', docx: 'Word document' } as const;

/** What stands where: the lines of the first page's contents. */
export function contentsLines(
  input: FinalPdfInput,
  files: readonly number[],
  pages: Counts,
  first: Counts,
): ContentsLine[] {
  let next = first.agreement + pages.agreement;
  const raw = input.files.map((file, i) => {
    const count = files[i] ?? 0;
    const line = { title: file.name, what: KIND_WORDS[file.kind], first: next, count };
    next += count;
    return line;
  });
  return [
    { title: 'Agreement', what: 'Terms and parties', first: first.agreement, count: pages.agreement },
    ...raw,
    {
      title: 'Signatures',
      what: 'Photo and signature of each person',
      first: first.signatures,
      count: pages.signatures,
    },
    {
      title: 'Certificate of completion',
      what: 'Seal, history and hashes',
      first: first.certificate,
      count: pages.certificate,
    },
  ];
}

/** The photo that is drawn, and the eye photo that is not, each with where it came from. */
function photosOf({ name, photos }: FinalParty, drawn: string): HashedInput[] {
  if (!photos) return [{ name, what: 'photo', sha256: drawn }];
  return [
    { name, what: photoWords('face', photos.profile_pic.source), sha256: drawn },
    { name, what: photoWords('eye', photos.eye.source), sha256: photos.eye.sha256 },
  ];
}

/** Every input with its hash, as the certificate lists them. */
export function hashedInputs(input: FinalPdfInput): HashedInput[] {
  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  return [
    ...input.files.map((file) => ({
      name: file.name,
      what: KIND_WORDS[file.kind],
      sha256: file.sha256.toLowerCase(),
    })),
    ...input.parties.flatMap((party) => [
      ...photosOf(party, hash(party.photo)),
      { name: party.name, what: 'drawn signature', sha256: hash(party.signature) },
    ]),
  ];
}
