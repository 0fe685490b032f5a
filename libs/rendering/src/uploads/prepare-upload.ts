/** Makes an upload the pages that will be sealed, and compares them with how viewers show the upload. */
import { join } from 'node:path';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { RenderError } from '../errors.ts';
import { toPageImage } from './images.ts';
import { checkOffice } from '../office/office-check.ts';
import { requireOfficeFonts } from '../office/office-fonts.ts';
import { isAnimated } from '../left-out/png-frames.ts';
import { partsOfWord } from '../left-out/word-parts.ts';
import type { OfficeConverter } from '../office/office.ts';
import type { Assembled } from '../pdf/assemble.ts';
import { comparedDpi } from '../pdf/compare/compare.ts';
import { PICTURE_SIDE } from '../pdf/compare/compare-pages.ts';
import type { PdfEngine } from '../pdf-engine/pdf-engine.ts';
import type { FilePart, PageComparison, PopplerPictures } from '../pdf-engine/pdf-messages.ts';
import { drawWithPoppler, textWithPoppler } from './poppler.ts';
import { readWhole } from '../processes/read-whole.ts';
import { repairPdf } from './repair.ts';
import type { PictureReason } from '@karaar/contracts/documents/http';
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

/** Pages compared at a time: what their pictures take on the disk, and how often progress is told. */
const BATCH = 8;

/**
 * Pixels of the upload that may be missing in the copy, in either renderer's view, on a page of 900 pixels: less than a
 * comma. Edges that two ways of drawing the same thing put differently are not among them.
 */
const MAY_BE_LOST = 8;
/**
 * Pixels that may differ in the view of the renderer in which fewer do, of half a million on an A4 page. The text of a
 * field that is drawn anew stands a little elsewhere in the other one.
 */
const MAY_CHANGE = 200;

/** Throws RenderError: `pdf_*`, `image_*`, `office_*` or `too_large` where the file cannot be taken. */
export async function prepareUpload(
  file: FileSource & { name: string; kind: RawFileKind },
  tools: UploadTools,
  onPages: OnPages = () => undefined,
): Promise<PreparedUpload> {
  const { dir } = tools;
  const out = join(dir, 'pages.pdf');
  const path = await asFile(file, tools);
  if (file.kind === 'image') {
    await assemble(await imagePart(file.name, path, tools), out, tools);
    const leftOut = isAnimated(await readFile(path)) ? (['frames'] as const) : [];
    return finish(file.name, out, { pictures: [], anew: [], texts: [null], leftOut: [...leftOut] }, tools);
  }
  const upload = file.kind === 'pdf' ? path : await convert({ ...file, kind: file.kind, path }, tools);
  const ofWord = file.kind === 'pdf' ? undefined : partsOfWord(file.name, file.kind, await readFile(path));
  const repaired = join(dir, 'repaired.pdf');
  await repairPdf({ name: file.name, path: upload, out: repaired }, tools);
  const part: PdfPart = { kind: 'pdf', name: file.name, path: repaired };
  await tools.pdf.request({ ...part, op: 'inspect', maxPages: tools.limits.pages }, { signal: tools.signal });
  const { foreign, leftOut, ...assembled } = await assemble(part, out, tools);
  if (foreign) throw foreignLetters(file.name, foreign);
  const compared = { ...assembled, name: file.name, sources: [upload, repaired], copy: out };
  const pictures = await unlikePages(compared, tools, onPages);
  if (pictures.length > 0) await assemble({ ...part, pictures }, out, tools);
  const texts = await textsOf({ out, repaired, pages: assembled.pages, pictures }, tools);
  const made = { pictures, anew: assembled.anew, texts, leftOut: ofWord ?? leftOut };
  return finish(file.name, out, made, tools);
}

/** What the sender reads by a font of their own computer, nobody else may see. */
function foreignLetters(file: string, { page, font }: NonNullable<Assembled['foreign']>): RenderError {
  const why = `"${file}" does not hold the font ${plainName(font)}, so the letters of page ${page + 1} look different, or do not show, on other computers. Please save it with its fonts embedded, or print it to PDF, and upload that file.`;
  return new RenderError('pdf_fonts', why, { file });
}

/** The name of a font without what would not be read as one. */
const plainName = (font: string): string => font.replace(/[^\w .+-]/g, '').slice(0, 60) || 'of its letters';

/** The text of each page; a page that stands as a picture has that of the upload. */
async function textsOf(
  { out, repaired, pages, pictures }: { out: string; repaired: string; pages: number; pictures: Picture[] },
  tools: UploadTools,
): Promise<(string | null)[]> {
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

/** An image as a part of a PDF: encoded for it, on a page of its own. */
export async function imagePart(
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
  const bytes = await readFile(file.path);
  checkOffice(file.name, file.kind, bytes);
  requireOfficeFonts(file.name, bytes);
  const path = join(dir, 'converted.pdf');
  await writeFile(path, await office.convert(file, { signal }));
  return path;
}

async function assemble(
  part: FilePart,
  out: string,
  { pdf, limits, signal }: UploadTools,
): Promise<
  Pick<Compared, 'pages' | 'longestSide' | 'anew' | 'kept'> & Pick<Assembled, 'foreign' | 'leftOut'>
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
  { pictures, ...made }: { pictures: Picture[] } & Pick<PreparedUpload, 'anew' | 'texts' | 'leftOut'>,
  { dir, pdf, signal }: UploadTools,
): Promise<PreparedUpload> {
  const out = join(dir, 'thumbnail.jpg');
  const [pages = 0] = await pdf.request({ op: 'thumbnail', name, path, out }, { signal });
  return {
    pdf: await readWhole(path),
    pages,
    pictures: pictures.map(({ page, why }) => ({ page: page + 1, why })),
    ...made,
    thumbnail: await readWhole(out),
  };
}

interface Compared {
  name: string;
  /** The upload, and the same repaired: for a renderer that cannot read the first. */
  sources: string[];
  copy: string;
  pages: number;
  longestSide: number;
  anew: Assembled['anew'];
  kept: Assembled['kept'];
}

/** The pages whose copy does not look as the upload does, each as a picture of how a viewer shows it. */
async function unlikePages(compared: Compared, tools: UploadTools, onPages: OnPages): Promise<Picture[]> {
  const pictures: Picture[] = [];
  const poppler = { hangs: false };
  for (let from = 0; from < compared.pages; from += BATCH) {
    onPages(from, compared.pages);
    const to = Math.min(from + BATCH, compared.pages) - 1;
    for (const [i, comparison] of (await compareRange(compared, { from, to }, tools, poppler)).entries()) {
      if (isAlike(comparison)) continue;
      pictures.push(await pictureOf(compared, from + i, comparison, tools));
    }
  }
  return pictures;
}

/**
 * How pages of a copy, from 0, differ from how either renderer shows the upload.
 *
 * @param poppler whether it did not come to an end on a page: it is not asked again
 */
export async function compareRange(
  {
    name,
    sources,
    copy,
    longestSide,
    anew,
    kept = [],
  }: Omit<Compared, 'pages' | 'kept'> & Partial<Pick<Compared, 'kept'>>,
  range: { from: number; to: number },
  tools: Pick<UploadTools, 'dir' | 'pdf' | 'limits' | 'pdftoppmPath' | 'signal'>,
  poppler = { hangs: false },
): Promise<PageComparison[]> {
  const dirs = [...sources, copy].map((_, i) => join(tools.dir, `poppler-${i}`));
  const draw = async (i: number, path: string): Promise<Map<number, string>> => {
    if (poppler.hangs) return new Map();
    const how = { dir: dirs[i] ?? '', as: 'ppm', dpi: comparedDpi(longestSide) } as const;
    const drawn = await drawWithPoppler(path, range, how, tools);
    poppler.hangs = drawn === undefined;
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
        source: poppler.hangs ? undefined : shown.get(page),
        copy: copied.get(page),
        anew: areasOf(anew, page),
        kept: areasOf(kept, page),
      });
    }
    const request = { op: 'compare', name, sources, copy, longestSide, from: range.from, pictures } as const;
    return await tools.pdf.compare(request, { signal: tools.signal });
  } finally {
    await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
  }
}

const areasOf = (areas: Assembled['anew'], page: number): Assembled['anew'][number][1] =>
  areas.find(([of]) => of === page)?.[1] ?? [];

/** Nothing that either renderer shows may be gone, and one of them must see the same page, with nothing added. */
export function isAlike({ pdfium, poppler }: PageComparison): boolean {
  const views = [pdfium, poppler].filter((view) => view !== undefined);
  const isSame = views.some((view) => view.changed <= MAY_CHANGE && view.added <= MAY_BE_LOST);
  return views.every((view) => view.lost <= MAY_BE_LOST) && isSame;
}

/** What would be wrong with a copy that is not alike: something is missing, or it looks different. */
const reasonOf = ({ pdfium, poppler }: PageComparison): PictureReason =>
  [pdfium, poppler].some((view) => view !== undefined && view.lost > MAY_BE_LOST) ? 'missing' : 'different';

/** Throws `pdf_broken` where no renderer can draw the page. */
async function pictureOf(
  { name, sources }: Compared,
  page: number,
  comparison: PageComparison,
  tools: UploadTools,
): Promise<Picture> {
  const path = join(tools.dir, `picture-${page}.png`);
  const byPdfium = async (): Promise<string | undefined> => {
    const request = { op: 'picture', name, sources, page, out: path } as const;
    const [drawn] = await tools.pdf.request(request, { signal: tools.signal });
    return drawn === 1 ? path : undefined;
  };
  const byPoppler = async (): Promise<string | undefined> => {
    for (const [i, source] of sources.entries()) {
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
