/** Files that are PDFs by their format and yet hold no pages that could be read, approved and sealed. */
import { PdfArray, PdfDict, type PdfObject, PdfString } from '@libpdf/core';
import { RenderError } from '../../errors.ts';
import type { Resolve } from '../values.ts';

/** Deeper name trees are not written by any program. */
const MAX_DEPTH = 16;

/**
 * Throws `pdf_collection` for a portfolio, whose pages are only its cover, and `pdf_xfa` for a form whose pages only
 * Adobe software makes (ISO 32000-2 §12.3.5, Annex K).
 */
export function requirePages(name: string, catalog: PdfDict, resolve: Resolve): void {
  const files = isCollection(catalog, resolve) ? embeddedFiles(catalog, resolve) : 0;
  if (files > 0) {
    const count = files === 1 ? 'another file' : `${files} other files`;
    throw new RenderError(
      'pdf_collection',
      `"${name}" is a portfolio: a folder with ${count} in it, of which only a cover would be sealed. Please upload what is in it file by file.`,
      { file: name },
    );
  }
  if (isDrawnByAdobe(catalog, resolve)) {
    throw new RenderError(
      'pdf_xfa',
      `"${name}" is a form (XFA) whose pages only Adobe software can draw. Please print it to PDF and upload that file.`,
      { file: name },
    );
  }
}

const isCollection = (catalog: PdfDict, resolve: Resolve): boolean =>
  catalog.get('Collection', resolve) instanceof PdfDict;

/** How many files are kept within this one. */
function embeddedFiles(catalog: PdfDict, resolve: Resolve): number {
  const names = catalog.get('Names', resolve);
  return names instanceof PdfDict ? countNames(names.get('EmbeddedFiles', resolve), resolve, 0) : 0;
}

function countNames(node: PdfObject | undefined, resolve: Resolve, depth: number): number {
  if (!(node instanceof PdfDict) || depth > MAX_DEPTH) return 0;
  const names = node.get('Names', resolve);
  const own =
    names instanceof PdfArray ? names.toArray().filter((item) => item instanceof PdfString).length : 0;
  const kids = node.get('Kids', resolve);
  if (!(kids instanceof PdfArray)) return own;
  let below = 0;
  for (let i = 0; i < kids.length; i += 1) below += countNames(kids.at(i, resolve), resolve, depth + 1);
  return own + below;
}

/** A PDF that says so; or a PDF with an XFA form and no field that a viewer could draw. */
function isDrawnByAdobe(catalog: PdfDict, resolve: Resolve): boolean {
  if (catalog.getBool('NeedsRendering', resolve)?.value === true) return true;
  const form = catalog.get('AcroForm', resolve);
  const xfa = form instanceof PdfDict ? form.get('XFA', resolve) : undefined;
  if (!(form instanceof PdfDict) || !xfa || (xfa instanceof PdfArray && xfa.length === 0)) return false;
  const fields = form.get('Fields', resolve);
  return !(fields instanceof PdfArray) || fields.length === 0;
}
