/** Draws the first page of a file as a small JPEG. Runs in the PDF process, because uploads are hostile. */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from '../errors.ts';
import { withPdfium } from '../pdf/pdfium.ts';
import { THUMBNAIL_SIDE } from '../limits.ts';
import type { PdfRequest } from './pdf-messages.ts';

type ThumbnailRequest = Extract<PdfRequest, { op: 'thumbnail' }>;

/**
 * Writes the thumbnail to `out`.
 * @throws RenderError `pdf_broken`
 */
export async function drawThumbnail({ name, path, picture, out }: ThumbnailRequest): Promise<void> {
  if (picture !== undefined) return writeJpeg(sharp(picture), out);
  const first = await withPdfium(await readFile(path), (document) =>
    document.render(0, (longest) => THUMBNAIL_SIDE / longest),
  );
  if (!first) {
    throw new RenderError('pdf_broken', `The first page of "${name}" cannot be drawn.`, { file: name });
  }
  const { data, width, height } = first;
  await writeJpeg(sharp(data, { raw: { width, height, channels: 4 } }), out);
}

async function writeJpeg(image: Sharp, out: string): Promise<void> {
  await image
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 78 })
    .toFile(out);
}
