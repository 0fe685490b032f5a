/** The first page of a file as a small JPEG. Runs in the PDF process: what it reads is hostile. */
import { readFile } from 'node:fs/promises';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from './errors.ts';
import type { PdfRequest } from './pdf-messages.ts';

type ThumbnailRequest = Extract<PdfRequest, { op: 'thumbnail' }>;

/** Longest side, in pixels: sharp on a phone's screen at the size in which lists show it. */
const SIDE = 480;

let pdfium: Promise<PDFiumLibrary> | undefined;

/** Writes the thumbnail to `out`; answers how many pages the file has. Throws `pdf_broken` or `image_broken`. */
export async function drawThumbnail(request: ThumbnailRequest): Promise<number> {
  const { kind, name, path, out } = request;
  if (kind === 'image') {
    const image = sharp(path, { limitInputPixels: request.maxPixels, pages: 1 });
    await writeJpeg(image.autoOrient(), out).catch((cause: unknown) => {
      throw new RenderError('image_broken', `The image "${name}" cannot be read.`, { file: name, cause });
    });
    return 1;
  }
  pdfium ??= PDFiumLibrary.init();
  const library = await pdfium;
  try {
    const document = await library.loadDocument(await readFile(path));
    try {
      const page = document.getPage(0);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const { data, ...drawn } = await page.render({
        scale: SIDE / Math.max(originalWidth, originalHeight, 1),
        render: 'bitmap',
      });
      const raw = { width: drawn.width, height: drawn.height, channels: 4 } as const;
      await writeJpeg(sharp(data, { raw }), out);
      return document.getPageCount();
    } finally {
      document.destroy();
    }
  } catch (cause) {
    throw new RenderError('pdf_broken', `The first page of "${name}" cannot be drawn.`, {
      file: name,
      cause,
    });
  }
}

async function writeJpeg(image: Sharp, out: string): Promise<void> {
  await image
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 78 })
    .toFile(out);
}
