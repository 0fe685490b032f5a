import { PdfArray, PdfDict } from '@libpdf/core';
import { RenderError } from '../errors.ts';
import { openSource } from './source.ts';

/**
 * Returns the number of pages of a PDF that Chromium printed, and for each id the page (0 is the first) of its
 * element, from the named destinations that Chromium writes for the targets of links (ISO 32000-1 §12.3.2.3).
 * @throws RenderError as `openSource` does, or `engine_failed` if an id is not the target of a link
 */
export async function placesOf(
  name: string,
  bytes: Uint8Array,
  ids: readonly string[],
  maxPages: number,
): Promise<number[]> {
  const { pdf, pages, resolve } = await openSource(name, bytes, maxPages);
  const destinations = pdf.getCatalog().get('Dests', resolve);
  const places = ids.map((id) => {
    const place = destinations instanceof PdfDict ? destinations.get(id, resolve) : undefined;
    const page = place instanceof PdfArray ? place.at(0, resolve) : undefined;
    const index = pages.findIndex(({ dict }) => dict === page);
    if (index < 0) throw new RenderError('engine_failed', `The printed pages do not say where "${id}" is.`);
    return index;
  });
  return [pages.length, ...places];
}
