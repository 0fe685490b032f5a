/** Makes the pages of an upload that will be sealed, and compares them with the view of the upload. */
import { join } from 'node:path';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { RenderError } from '../errors.ts';
import { toPageImage } from '../images.ts';
import { checkOffice } from '../office/office-check.ts';
import { isAnimated } from './png-frames.ts';
import { partsOfWord } from '../office/left-out-parts.ts';
import type { OfficeConverter } from '../office/office.ts';
import type { Assembled } from '../pdf/assemble.ts';
import { comparedDpi } from '../pdf/compare/compare.ts';
import { PICTURE_SIDE } from '../pdf-engine/compare-pages.ts';
import type { PdfEngine } from '../pdf-engine/pdf-engine.ts';
import type { FilePart, PageComparison, PopplerPictures } from '../pdf-engine/pdf-messages.ts';
import { drawWithPoppler, textWithPoppler } from './poppler.ts';
import { readWhole } from '../processes/read-whole.ts';
import { isCutShort, repairPdf } from './repair.ts';
import { THUMBNAIL_SIDE } from '../limits.ts';
import type { LeftOut, PictureReason } from '@karaar/contracts/documents/http';
import type { FileSource, OnPages, PreparedUpload, RawFileKind, RenderLimits } from '../types.ts';

export interface UploadTools {
  dir: string;
  office: OfficeConverter;
  pdf: PdfEngine;
  limits: RenderLimits;
  qpdfPath: string;
  pdftoppmPath: string;
  signal: AbortSignal;
}

type PdfPart = Extract<FilePart, { kind: 'pdf' }>;
type Picture = NonNullable<PdfPart['pictures']>[number] & { why: PictureReason };

/** Pages per comparison: limits the disk space of their pictures, and sets how often progress is reported. */
const BATCH = 8;

/**
 * Pixels of the upload that may be missing in the copy, in either renderer's view of a page of 900 pixels:
 * less than a comma. Edges that both ways of drawing place differently do not count.
 */
const MAY_BE_LOST = 8;
/**
 * Pixels that may differ in the renderer with fewer differences, of half a million on an A4 page. The other
 * renderer may move the text of a redrawn field slightly.
 */
const MAY_CHANGE = 200;

/** The renderers that did not finish a page of a file: they are not used again. */
interface Hangs {
  poppler: boolean;
  pdfium: boolean;
}

/** @throws RenderError `pdf_*`, `image_*`, `office_*` or `too_large` for a file that is refused */
export async function prepareUpload(
  file: FileSource & { name: string; kind: RawFileKind },
  tools: UploadTools,
  onPages: OnPages = () => undefined,
): Promise<PreparedUpload> {
  const path = await asFile(file, tools);
  try {
    return await (file.kind === 'image'
      ? prepareImage(file.name, path, tools)
      : preparePages({ name: file.name, kind: file.kind, path }, tools, onPages));
  } catch (error) {
    if (!isOverdue(error, tools.signal)) throw error;
    const why = `"${file.name}" takes too long to be read. Please print it to PDF and upload that file.`;
    throw new RenderError('pdf_broken', why, { file: file.name, cause: error });
  } finally {
    await tools.pdf.shrink();
  }
}

/** Returns true if one step took too long, but not the whole job, for which a caller may allow more time. */
const isOverdue = (error: unknown, job: AbortSignal): boolean =>
  error instanceof RenderError && error.code === 'timeout' && !job.aborted;

async function prepareImage(name: string, path: string, tools: UploadTools): Promise<PreparedUpload> {
  const out = join(tools.dir, 'pages.pdf');
  const { pages } = await assemble(await imagePart(name, path, tools), out, tools);
  const leftOut: LeftOut[] = isAnimated(await readFile(path)) ? ['frames'] : [];
  return finish(name, out, { pages, pictures: [], redrawn: [], texts: [null], leftOut }, tools);
}

async function preparePages(
  file: { name: string; kind: Exclude<RawFileKind, 'image'>; path: string },
  tools: UploadTools,
  onPages: OnPages,
): Promise<PreparedUpload> {
  const { name, kind, path } = file;
  const out = join(tools.dir, 'pages.pdf');
  const upload = kind === 'pdf' ? path : await convert({ name, kind, path }, tools);
  const ofWord = kind === 'pdf' ? undefined : partsOfWord(name, kind, await readFile(path));
  const repaired = await readable({ name, upload, isConverted: kind !== 'pdf' }, tools);
  const part: PdfPart = { kind: 'pdf', name, path: repaired };
  const { foreign, leftOut, ...assembled } = await assemble(part, out, tools);
  if (foreign) throw foreignLetters(name, foreign);
  const hangs: Hangs = { poppler: false, pdfium: false };
  const compared = { ...assembled, name, sources: [upload, repaired], copy: out };
  const pictures = await unlikePages(compared, tools, onPages, hangs);
  if (pictures.length > 0) await assemble({ ...part, pictures }, out, tools);
  const { pages, redrawn } = assembled;
  const texts = await textsOf({ out, repaired, pages, pictures }, tools, hangs);
  return finish(name, out, { pages, pictures, redrawn, texts, leftOut: ofWord ?? leftOut }, tools, hangs);
}

/**
 * Returns the repaired and inspected file. PDFium rebuilds a file that qpdf cannot repair, as Chromium shows
 * it, unless a part was cut off.
 * @throws RenderError
 */
async function readable(
  { name, upload, isConverted }: { name: string; upload: string; isConverted: boolean },
  tools: UploadTools,
): Promise<string> {
  const { dir, pdf, limits, signal } = tools;
  const repaired = join(dir, 'repaired.pdf');
  const repair = async (path: string): Promise<string> => {
    await repairPdf({ name, path, out: repaired }, tools);
    const request = { op: 'inspect', name, path: repaired, maxPages: limits.pages, isConverted } as const;
    await pdf.request(request, { signal });
    return repaired;
  };
  try {
    return await repair(upload);
  } catch (error) {
    const mayRecover =
      error instanceof RenderError &&
      (error.code === 'pdf_broken' || error.code === 'pdf_encrypted') &&
      !isCutShort(await readFile(upload));
    const copy = join(dir, 'recovered.pdf');
    if (!mayRecover) throw error;
    const recovered = await pdf.request({ op: 'recover', name, path: upload, out: copy }, { signal });
    if (recovered.length === 0) throw error;
    return repair(copy).catch((cause: unknown) => {
      throw signal.aborted ? cause : error;
    });
  }
}

/** The error for text in a font of the sender's computer, which other people may not see. */
function foreignLetters(file: string, { page, font }: NonNullable<Assembled['foreign']>): RenderError {
  const why = `"${file}" does not hold the font ${plainName(font)}, so the letters of page ${page + 1} look different, or do not show, on other computers. Please save it with its fonts embedded, or print it to PDF, and upload that file.`;
  return new RenderError('pdf_fonts', why, { file });
}

/** Returns the name of a font without characters that do not belong in a name. */
const plainName = (font: string): string => font.replace(/[^\w .+-]/g, '').slice(0, 60) || 'of its letters';

/** Returns the text of each page; for a page sealed as a picture, the text of the upload. */
async function textsOf(
  { out, repaired, pages, pictures }: { out: string; repaired: string; pages: number; pictures: Picture[] },
  tools: UploadTools,
  hangs: Hangs,
): Promise<(string | null)[]> {
  if (hangs.poppler) return Array.from({ length: pages }, () => null);
  const texts = await textWithPoppler(out, pages, join(tools.dir, 'text'), tools);
  if (pictures.length === 0) return texts;
  const uploaded = await textWithPoppler(repaired, pages, join(tools.dir, 'text-of-upload'), tools);
  const drawn = new Set(pictures.map(({ page }) => page));
  return texts.map((text, page) => (drawn.has(page) ? (uploaded[page] ?? null) : text));
}

async function asFile(file: FileSource & { name: string }, { dir, limits }: UploadTools): Promise<string> {
  const size = file.path === undefined ? file.bytes.length : (await stat(file.path)).size;
  if (size > limits.fileBytes) {
    throw new RenderError('too_large', `"${file.name}" is too large.`, { file: file.name });
  }
  if (file.path !== undefined) return file.path;
  const path = join(dir, 'upload');
  await writeFile(path, file.bytes);
  return path;
}

/** Returns an image as a part of a PDF: encoded for it, on its own page. */
async function imagePart(
  name: string,
  path: string,
  { dir, limits }: Pick<UploadTools, 'dir' | 'limits'>,
): Promise<FilePart> {
  const { bytes, ...image } = await toPageImage(name, await readFile(path), limits);
  const target = join(dir, 'image');
  await writeFile(target, bytes);
  return { kind: 'image', name, path: target, ...image };
}

async function convert(
  file: { name: string; kind: 'doc' | 'docx'; path: string },
  { dir, office, signal }: UploadTools,
): Promise<string> {
  checkOffice(file.name, file.kind, await readFile(file.path));
  const path = join(dir, 'converted.pdf');
  await writeFile(path, await office.convert(file, { signal }));
  return path;
}

async function assemble(
  part: FilePart,
  out: string,
  { pdf, limits, signal }: UploadTools,
): Promise<
  Pick<Compared, 'pages' | 'longestSide' | 'redrawn' | 'kept'> & Pick<Assembled, 'foreign' | 'leftOut'>
> {
  const metadata = { title: part.name, subject: 'Karaar upload', createdAt: new Date().toISOString() };
  const { pages, ...rest } = await pdf.assemble(
    { op: 'assemble', parts: [part], metadata, maxPages: limits.pages, out },
    { signal },
  );
  return { ...rest, pages: pages[0] ?? 0 };
}

async function finish(
  name: string,
  path: string,
  made: { pictures: Picture[] } & Pick<PreparedUpload, 'pages' | 'redrawn' | 'texts' | 'leftOut'>,
  tools: UploadTools,
  hangs: Hangs = { poppler: false, pdfium: false },
): Promise<PreparedUpload> {
  const out = join(tools.dir, 'thumbnail.jpg');
  const draw = async (picture?: string): Promise<unknown> =>
    tools.pdf.request({ op: 'thumbnail', name, path, picture, out }, { signal: tools.signal });
  if (hangs.pdfium) {
    const how = { dir: join(tools.dir, 'first'), as: 'png', side: THUMBNAIL_SIDE } as const;
    const first = (await drawWithPoppler(path, { from: 0, to: 0 }, how, tools))?.get(0);
    if (first === undefined) throw undrawable(name, 0);
    await draw(first);
  } else await draw();
  const { pictures, ...rest } = made;
  return {
    pdf: await readWhole(path),
    ...rest,
    pictures: pictures.map(({ page, why }) => ({ page: page + 1, why })),
    thumbnail: await readWhole(out),
  };
}

interface Compared {
  name: string;
  /** The upload, then its repaired copy for a renderer that cannot read the upload. */
  sources: string[];
  copy: string;
  pages: number;
  longestSide: number;
  redrawn: Assembled['redrawn'];
  kept: Assembled['kept'];
}

/** Returns pictures of the pages whose copy looks different from the upload. */
async function unlikePages(
  compared: Compared,
  tools: UploadTools,
  onPages: OnPages,
  hangs: Hangs,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (let from = 0; from < compared.pages; from += BATCH) {
    onPages(from, compared.pages);
    const to = Math.min(from + BATCH, compared.pages) - 1;
    for (const [i, comparison] of (await compareRange(compared, { from, to }, tools, hangs)).entries()) {
      if (isAlike(comparison)) continue;
      pictures.push(await pictureOf(compared, from + i, comparison, tools, hangs));
    }
  }
  return pictures;
}

/**
 * Returns how pages of a copy (from 0) differ from the upload in each renderer.
 * @throws RenderError `pdf_broken` for a page on which neither renderer finishes
 */
export async function compareRange(
  compared: Omit<Compared, 'pages' | 'kept'> & Partial<Pick<Compared, 'kept'>>,
  range: { from: number; to: number },
  tools: Pick<UploadTools, 'dir' | 'pdf' | 'limits' | 'pdftoppmPath' | 'signal'>,
  hangs: Hangs = { poppler: false, pdfium: false },
): Promise<PageComparison[]> {
  const { name, sources, copy, longestSide, redrawn, kept = [] } = compared;
  const dirs = [...sources, copy].map((_, i) => join(tools.dir, `poppler-${i}`));
  const draw = async (i: number, path: string): Promise<Map<number, string>> => {
    if (hangs.poppler) return new Map();
    const how = { dir: dirs[i] ?? '', as: 'ppm', dpi: comparedDpi(longestSide) } as const;
    const drawn = await drawWithPoppler(path, range, how, tools);
    hangs.poppler = drawn === undefined;
    return drawn ?? new Map();
  };
  try {
    let shown = new Map<number, string>();
    for (const [i, source] of sources.entries()) {
      if (shown.size === 0) shown = await draw(i, source);
    }
    const copied = await draw(sources.length, copy);
    const pictures: PopplerPictures[] = [];
    for (let page = range.from; page <= range.to; page += 1) {
      pictures.push({
        source: hangs.poppler ? undefined : shown.get(page),
        copy: copied.get(page),
        redrawn: areasOf(redrawn, page),
        kept: areasOf(kept, page),
      });
    }
    const ask = (byPdfium: boolean): Promise<PageComparison[]> =>
      tools.pdf.compare(
        { op: 'compare', name, sources, copy, longestSide, from: range.from, pictures, byPdfium },
        { signal: tools.signal, ...(byPdfium ? { ms: tools.limits.pdfiumMs } : {}) },
      );
    if (!hangs.pdfium) {
      try {
        return await ask(true);
      } catch (error) {
        if (!isOverdue(error, tools.signal)) throw error;
        // Only PDFium is left: pages that take long together may each finish alone.
        if (hangs.poppler && range.to > range.from) return await onePageAtATime();
        hangs.pdfium = true;
      }
    }
    if (hangs.poppler) throw undrawable(name, range.from);
    return await ask(false);
  } finally {
    await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
  }

  async function onePageAtATime(): Promise<PageComparison[]> {
    const comparisons: PageComparison[] = [];
    for (let page = range.from; page <= range.to; page += 1)
      comparisons.push(...(await compareRange(compared, { from: page, to: page }, tools, hangs)));
    return comparisons;
  }
}

function undrawable(name: string, page: number): RenderError {
  const why = `Page ${page + 1} of "${name}" takes too long to be drawn. Please print it to PDF and upload that file.`;
  return new RenderError('pdf_broken', why, { file: name });
}

const areasOf = (areas: Assembled['redrawn'], page: number): Assembled['redrawn'][number][1] =>
  areas.find(([of]) => of === page)?.[1] ?? [];

/**
 * Returns true if neither renderer loses anything, and one of them draws the same page with nothing added.
 */
export function isAlike({ pdfium, poppler }: PageComparison): boolean {
  const views = [pdfium, poppler].filter((view) => view !== undefined);
  const isSame = views.some((view) => view.changed <= MAY_CHANGE && view.added <= MAY_BE_LOST);
  return views.every((view) => view.lost <= MAY_BE_LOST) && isSame;
}

/** Returns why the copy differs: content is missing, or it looks different. */
const reasonOf = ({ pdfium, poppler }: PageComparison): PictureReason =>
  [pdfium, poppler].some((view) => view !== undefined && view.lost > MAY_BE_LOST) ? 'missing' : 'different';

/** @throws RenderError `pdf_broken` if no renderer can draw the page */
async function pictureOf(
  { name, sources }: Compared,
  page: number,
  comparison: PageComparison,
  tools: UploadTools,
  hangs: Hangs,
): Promise<Picture> {
  const path = join(tools.dir, `picture-${page}.png`);
  const byPdfium = async (): Promise<string | undefined> => {
    if (hangs.pdfium) return undefined;
    const request = { op: 'picture', name, sources, page, out: path } as const;
    const ended = tools.pdf.request(request, { signal: tools.signal, ms: tools.limits.pdfiumMs });
    const [drawn] = await ended.catch((error: unknown): number[] => {
      if (!isOverdue(error, tools.signal)) throw error;
      return [];
    });
    return drawn === 1 ? path : undefined;
  };
  const byPoppler = async (): Promise<string | undefined> => {
    for (const [i, source] of hangs.poppler ? [] : sources.entries()) {
      const how = { dir: join(tools.dir, `picture-${page}-${i}`), as: 'png', side: PICTURE_SIDE } as const;
      const drawn = (await drawWithPoppler(source, { from: page, to: page }, how, tools))?.get(page);
      if (drawn !== undefined) return drawn;
    }
    return undefined;
  };
  const drawn =
    comparison.fuller === 'poppler'
      ? ((await byPoppler()) ?? (await byPdfium()))
      : ((await byPdfium()) ?? (await byPoppler()));
  if (drawn === undefined) {
    const why = `Page ${page + 1} of "${name}" cannot be drawn. Please print it to PDF and upload that file.`;
    throw new RenderError('pdf_broken', why, { file: name });
  }
  const { bytes, ...image } = await toPageImage(name, await readFile(drawn), tools.limits);
  await writeFile(path, bytes);
  return { page, path, ...image, why: reasonOf(comparison) };
}
