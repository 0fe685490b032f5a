/**
 * Composes the final PDF: the pages that Karaar draws around the raw files, with page numbers over all of
 * them.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import QRCode from 'qrcode';
import type { BrowserPool } from '../processes/browser-pool.ts';
import { contentsLines, hashedInputs, numbered, type Counts, type Own, ownParts } from './contents.ts';
import { RenderError } from '../errors.ts';
import { photoUrl, signatureUrl } from '../images.ts';
import type { FilePart } from '../pdf-engine/pdf-messages.ts';
import type { UploadTools } from '../uploads/prepare-upload.ts';
import { readWhole } from '../processes/read-whole.ts';
import { agreementPart } from '../templates/agreement.ts';
import { certificatePart } from '../templates/certificate.ts';
import { estimatePages } from './estimate.ts';
import { factsOf } from '../templates/facts.ts';
import { sheet, type SheetPart } from '../templates/sheet.ts';
import { type DrawnImages, signaturesPart } from '../templates/signatures.ts';
import { ENGLISH, wordsOf } from '../templates/words.ts';
import type {
  ComposedPdf,
  FinalParty,
  FinalPdfInput,
  OnProgress,
  PageCounts,
  RawFile,
  RenderLimits,
} from '../types.ts';

type Tools = Pick<UploadTools, 'dir' | 'pdf' | 'limits' | 'signal'> & { browser: BrowserPool };
type PdfPart = Extract<FilePart, { kind: 'pdf' }>;

/**
 * Page numbers depend on page counts, which depend on the printed pages: one guess is usually enough, rarely
 * two.
 */
const MAX_PASSES = 4;

/**
 * Returns the unsealed PDF and its page counts; works in the folder `tools.dir`, which the caller removes.
 * @throws RenderError, such as `hash_mismatch` if the SHA-256 of a file differs from the approved one
 */
export async function composeFinal(
  given: FinalPdfInput,
  tools: Tools,
  onProgress: OnProgress,
): Promise<ComposedPdf> {
  const { dir, pdf, limits, signal } = tools;
  const [rawParts, images, qrSvg] = await Promise.all([
    inOrder(given.files, async (file, i) => {
      onProgress('files', i, given.files.length);
      return takePages(file, join(dir, `raw-${i}.pdf`));
    }),
    Promise.all(given.parties.map((party) => drawnImages(party, limits))),
    QRCode.toString(given.verifyUrl, {
      type: 'svg',
      errorCorrectionLevel: 'M',
      margin: 0,
      color: { dark: '#1B1A17', light: '#0000' },
    }),
  ]);
  const files = await inOrder(rawParts, (part) => countPages(part, tools));
  const input = fitting(given, files, limits.pages);
  const parts = ownParts(input);
  const draw = sheetWriter(input, { parts, files, images, qrSvg });
  onProgress('pages');
  const path = join(dir, 'own.pdf');
  const counts = await settle(parts, estimatePages(input), (pages) => print(parts, draw(pages), path, tools));
  const { total } = numbered(parts, counts, files);
  if (total > limits.pages)
    throw new RenderError('too_large', `The final PDF would have more than ${limits.pages} pages.`);
  const out = join(dir, 'final.pdf');
  onProgress('assembling');
  const { agreement = 0, signatures = 0, ...certificates } = counts;
  const own = { kind: 'pdf', name: 'own pages', path } as const;
  await pdf.request(
    {
      op: 'assemble',
      parts: [{ ...own, to: agreement }, ...rawParts, { ...own, from: agreement + 1 }],
      metadata: {
        title: input.document.name,
        subject: `Karaar agreement ${input.document.code}`,
        createdAt: input.composedAt,
      },
      maxPages: limits.pages,
      out,
    },
    { signal },
  );
  const certificate = sum(Object.values(certificates));
  const pages: PageCounts = {
    agreement,
    files,
    raw: sum(files),
    signatures,
    certificate,
    total,
  };
  return { pdf: await readWhole(out), pages };
}

/** Returns a function that draws the parts as HTML, numbered by the assumed page counts. */
function sheetWriter(
  input: FinalPdfInput,
  given: {
    parts: readonly Own[];
    files: readonly number[];
    images: readonly DrawnImages[];
    qrSvg: string;
  },
): (pages: Counts) => string {
  const { parts, files, images, qrSvg } = given;
  const hashes = hashedInputs(input);
  const facts = factsOf(input);
  const part = (own: Own, pages: Counts, first: Counts): SheetPart => {
    if (own === 'agreement')
      return agreementPart(facts, input.document.pageDetails, contentsLines(input, files, pages, first));
    if (own === 'signatures') return { ...signaturesPart(facts, images), between: sum(files) };
    return certificatePart(facts, { qrSvg, hashes, words: own === 'certificate' ? ENGLISH : wordsOf(own) });
  };
  return (pages) => {
    const { first, total } = numbered(parts, pages, files);
    return sheet({
      title: facts.document.name ?? '',
      code: facts.document.code ?? '',
      total,
      parts: parts.map((id) => ({ ...part(id, pages, first), id })),
    });
  };
}

/**
 * Prints the parts to a file, with a blank page in place of the uploaded files after the first part, and
 * returns the number of pages of each part.
 */
async function print(
  parts: readonly Own[],
  page: string,
  path: string,
  { browser, pdf, limits, signal }: Tools,
): Promise<Counts> {
  await writeFile(path, await browser.print(page, { signal }));
  const maxPages = limits.pages + 1; // with the blank page
  const request = { op: 'places', name: 'own pages', path, ids: parts, maxPages } as const;
  const [total = 0, ...places] = await pdf.request(request, { signal });
  const counts = places.map((place, i) => (places[i + 1] ?? total) - place - (i === 0 ? 1 : 0));
  return Object.fromEntries(parts.map((own, i) => [own, counts[i] ?? 0])) as Counts;
}

async function drawnImages(
  { name, photo, faceBox, signature }: FinalParty,
  limits: RenderLimits,
): Promise<DrawnImages> {
  const [photoData, signatureData] = await Promise.all([
    photoUrl(`photo of ${name}`, photo, faceBox, limits),
    signatureUrl(`signature of ${name}`, signature, limits),
  ]);
  return { photoUrl: photoData, signatureUrl: signatureData };
}

/** Copies the file's pages into the job's folder. */
async function takePages({ name, pages }: RawFile, path: string): Promise<PdfPart> {
  const bytes = pages.path === undefined ? pages.bytes : await readWhole(pages.path);
  if (createHash('sha256').update(bytes).digest('hex') !== pages.sha256.toLowerCase()) {
    throw new RenderError('hash_mismatch', `"${name}" is not the file that was approved.`, { file: name });
  }
  await writeFile(path, bytes);
  return { kind: 'pdf', name, path };
}

async function countPages(part: PdfPart, { pdf, limits, signal }: Tools): Promise<number> {
  const request = {
    op: 'inspect',
    name: part.name,
    path: part.path,
    maxPages: limits.pages,
  } as const;
  const [pages = 0] = await pdf.request(request, { signal });
  return pages;
}

/** Leaves the translations of the certificate out if the file would be too long with them. */
function fitting(input: FinalPdfInput, files: readonly number[], maxPages: number): FinalPdfInput {
  const guess = sum(Object.values(estimatePages(input))) + sum(files);
  // Each part may have one page more than estimated.
  return guess + ownParts(input).length > maxPages ? { ...input, languages: [] } : input;
}

/** Prints with estimated page counts, and again with the real ones until they agree. */
async function settle(
  parts: readonly Own[],
  guess: Counts,
  print: (counts: Counts) => Promise<Counts>,
): Promise<Counts> {
  let counts = guess;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const real = await print(counts);
    if (parts.every((own) => real[own] === counts[own])) return real;
    counts = real;
  }
  throw new RenderError('engine_failed', 'The page numbers of the final PDF do not settle.');
}

/** Maps one item at a time: the work is limited anyway, and errors keep their order. */
async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
