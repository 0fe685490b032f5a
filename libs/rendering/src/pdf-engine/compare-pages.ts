/** Compares the pages of a copy with those of the upload, in two renderers. Runs in the PDF process. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { PageComparison, PdfRequest, PopplerPictures } from './pdf-messages.ts';
import {
  comparedDpi,
  type Difference,
  differenceOf,
  GONE,
  hasInk,
  lostBetween,
} from '../pdf/compare/compare.ts';
import { type Raster, withPdfium } from '../pdf/pdfium.ts';
import type { Box } from '../pdf/values.ts';

type CompareRequest = Extract<PdfRequest, { op: 'compare' }>;
type PictureRequest = Extract<PdfRequest, { op: 'picture' }>;

/** The longest side of a page that is sealed as a picture, in pixels: A4 at 200 dpi. */
export const PICTURE_SIDE = 2339;

/** Returns one comparison per pair of Poppler's pictures, in order. */
export async function comparePages(request: CompareRequest): Promise<PageComparison[]> {
  const count = request.pictures.length;
  const pages = { from: request.from, count, scale: comparedDpi(request.longestSide) / 72 };
  const sources = await drawn(request.byPdfium ? request.sources : [], pages);
  const copies = await drawn(request.byPdfium ? [request.copy] : [], pages);
  const comparisons: PageComparison[] = [];
  for (const [i, pictures] of request.pictures.entries()) {
    const [source, copy] = [sources[i], copies[i]];
    const poppler = await readPoppler(pictures);
    comparisons.push({
      pdfium: source && difference(source, copy, pictures.kept),
      poppler:
        poppler.source && difference(poppler.source, poppler.copy, [...pictures.redrawn, ...pictures.kept]),
      fuller: fuller(source, poppler.source),
      isBlank: !hasInk(copy ?? poppler.copy) && (hasInk(source) || hasInk(poppler.source)),
    });
  }
  return comparisons;
}

/** Returns true if PDFium could draw the page. */
export async function drawPicture({ sources, page, out }: PictureRequest): Promise<boolean> {
  const scale = (longest: number): number => PICTURE_SIDE / longest;
  for (const source of sources) {
    const raster = await withPdfium(await readFile(source), (document) => document.render(page, scale));
    if (!raster) continue;
    const { width, height, data } = raster;
    await sharp(data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .png()
      .toFile(out);
    return true;
  }
  return false;
}

function difference(source: Raster, copy: Raster | undefined, redrawn: readonly Box[] = []): Difference {
  return copy ? differenceOf(source, copy, redrawn) : GONE;
}

/**
 * Returns the renderer that shows something which the other lacks; PDFium, which Chromium uses, if they
 * agree.
 */
function fuller(pdfium: Raster | undefined, poppler: Raster | undefined): PageComparison['fuller'] {
  if (!poppler) return 'pdfium';
  if (!pdfium) return 'poppler';
  return lostBetween(poppler, pdfium) > lostBetween(pdfium, poppler) ? 'poppler' : 'pdfium';
}

/** Yields pages drawn by PDFium, each from the first source whose page it can draw. */
async function drawn(
  paths: readonly string[],
  { from, count, scale }: { from: number; count: number; scale: number },
): Promise<(Raster | undefined)[]> {
  const rasters: (Raster | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const path of paths) {
    if (rasters.every(Boolean)) break;
    await withPdfium(await readFile(path), (document) => {
      for (let i = 0; i < count; i += 1) rasters[i] ??= document.render(from + i, () => scale);
    });
  }
  return rasters;
}

async function readPoppler({ source, copy }: Pick<PopplerPictures, 'source' | 'copy'>): Promise<{
  source: Raster | undefined;
  copy: Raster | undefined;
}> {
  return { source: await readPicture(source), copy: await readPicture(copy) };
}

/** Reads Poppler's picture: PPM, three bytes per pixel after a header of four words. */
async function readPicture(path: string | undefined): Promise<Raster | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readFile(path);
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 64).toString('latin1'));
  if (!header) return undefined;
  const [width, height] = [Number(header[1]), Number(header[2])];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let from = header[0].length, to = 0; to < data.length; from += 3, to += 4) {
    bytes.copy(data, to, from, from + 3);
  }
  return { width, height, data };
}
