import { PdfArray, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { requireAlone } from './page-kinds.ts';
import { requireLetters } from './fonts/missing-letters.ts';
import { broken, openSource, type SourcePdf } from './source.ts';

/**
 * Reads a PDF as composing will, and decodes the content of every page, so that a file that cannot be drawn
 * is refused at the upload. Returns the page count.
 * @throws RenderError as `openSource`, `requireAlone` and, for a converted file, `requireLetters` do
 */
export async function inspectPdf(
  name: string,
  bytes: Uint8Array,
  maxPages: number,
  isConverted = false,
): Promise<number> {
  const source = await openSource(name, bytes, maxPages);
  if (isConverted) requireLetters(source);
  requireAlone(source);
  for (const page of source.pages) {
    for (const stream of streams(page.dict.get('Contents'), source)) {
      if (stream.data.length > 0 && decodedSize(name, stream) === 0)
        throw broken(name, 'the content of a page is damaged');
    }
  }
  return source.pages.length;
}

function decodedSize(name: string, stream: PdfStream): number {
  // A Flate stream of 16 bytes or less is an empty page, not a fault.
  if (stream.data.length <= 16) return 1;
  try {
    return stream.getDecodedData().length;
  } catch (cause) {
    throw broken(name, 'the content of a page is damaged', cause);
  }
}

function streams(value: PdfObject | undefined, source: SourcePdf): PdfStream[] {
  const target = value instanceof PdfRef ? source.resolve(value) : value;
  if (target instanceof PdfStream) return [target];
  if (!(target instanceof PdfArray)) return [];
  return target
    .toArray()
    .map((item) => (item instanceof PdfRef ? source.resolve(item) : item))
    .filter((item) => item instanceof PdfStream);
}
