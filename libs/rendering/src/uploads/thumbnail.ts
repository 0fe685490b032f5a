/** The first page of a file as a small JPEG. Runs in the PDF process: what it reads is hostile. */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from '../errors.ts';
import { withPdfium } from '../pdf/pdfium.ts';
import type { PdfRequest } from '../pdf-engine/pdf-messages.ts';

type ThumbnailRequest = Extract<PdfRequest, { op: 'thumbnail' }>;

/** Longest side, in pixels: sharp on a phone's screen at the size in which lists show it. */
const SIDE = 480;

/** Writes the thumbnail to `out`; answers how many pages the file has. Throws `pdf_broken`. */
export async function drawThumbnail({ name, path, out }: ThumbnailRequest): Promise<number> {
  const drawn = await withPdfium(await readFile(path), (document) => ({
    pages: document.pageCount,
    first: document.render(0, (longest) => SIDE / longest),
  }));
  if (!drawn?.first) {
    throw new RenderError('pdf_broken', `The first page of "${name}" cannot be drawn.`, { file: name });
  }
  const { data, width, height } = drawn.first;
  await writeJpeg(sharp(data, { raw: { width, height, channels: 4 } }), out);
  return drawn.pages;
}

async function writeJpeg(image: Sharp, out: string): Promise<void> {
  await image
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 78 })
    .toFile(out);
}
