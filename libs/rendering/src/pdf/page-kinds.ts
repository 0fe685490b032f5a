/** Refuses PDFs without pages that a person could read, approve and seal. */
import { PdfArray, PdfDict, type PDF, type PdfObject, PdfString } from '@libpdf/core';
import { RenderError } from '../errors.ts';
import { nameOf, type Resolve } from './values.ts';

type Source = { name: string; pdf: PDF; pages: readonly { dict: PdfDict }[]; resolve: Resolve };

/** No program writes deeper name trees. */
const MAX_DEPTH = 16;

/**
 * @throws RenderError `pdf_collection` for a portfolio, whose pages are only a cover, and `pdf_xfa` for a
 * form that only Adobe software draws (ISO 32000-2 §12.3.5, Annex K)
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

/**
 * @throws RenderError `pdf_attachments` for a PDF with files in it: the text may name them as parts of the
 * agreement, but only the pages are sealed
 */
export function requireAlone({ name, pdf, pages, resolve }: Source): void {
  const catalog = pdf.getCatalog();
  const names = catalog.get('Names', resolve);
  const inNames = names instanceof PdfDict && holdsFile(names.get('EmbeddedFiles', resolve), resolve, 0);
  const isAttached = (owner: PdfDict): boolean => holdsFile(owner.get('AF', resolve), resolve, 0);
  const inPages = pages.some(({ dict }) => {
    const annots = dict.get('Annots', resolve);
    return isAttached(dict) || itemsOf(annots, resolve).some((annot) => isHolder(annot, resolve));
  });
  if (inNames || isAttached(catalog) || inPages) throw attached(name);
}

/** Returns the error for a PDF with files in it. */
export function attached(name: string): RenderError {
  return new RenderError(
    'pdf_attachments',
    `"${name}" has other files attached to it, which would not be sealed. Please upload those files one by one, and this one without them.`,
    { file: name },
  );
}

function isHolder(annot: PdfObject, resolve: Resolve): boolean {
  if (!(annot instanceof PdfDict)) return false;
  const isClip = nameOf(annot, 'Subtype', resolve) === 'FileAttachment';
  return (
    holdsFile(annot.get('AF', resolve), resolve, 0) ||
    (isClip && holdsFile(annot.get('FS', resolve), resolve, 0))
  );
}

/** Returns true if a file specification, a list or a name tree leads to an embedded file (§7.11.4). */
function holdsFile(value: PdfObject | undefined, resolve: Resolve, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (value instanceof PdfArray)
    return itemsOf(value, resolve).some((item) => holdsFile(item, resolve, depth + 1));
  if (!(value instanceof PdfDict)) return false;
  if (value.get('EF', resolve) instanceof PdfDict) return true;
  return ['Names', 'Kids'].some((key) => holdsFile(value.get(key, resolve), resolve, depth + 1));
}

function itemsOf(value: PdfObject | undefined, resolve: Resolve): PdfObject[] {
  if (!(value instanceof PdfArray)) return [];
  return Array.from({ length: value.length }, (_, i) => value.at(i, resolve)).filter(
    (item) => item !== undefined,
  );
}

/**
 * Returns true if the PDF requires Adobe's rendering, or has an XFA form without fields that a viewer could
 * draw.
 */
function isDrawnByAdobe(catalog: PdfDict, resolve: Resolve): boolean {
  if (catalog.getBool('NeedsRendering', resolve)?.value === true) return true;
  const form = catalog.get('AcroForm', resolve);
  const xfa = form instanceof PdfDict ? form.get('XFA', resolve) : undefined;
  if (!(form instanceof PdfDict) || !xfa || (xfa instanceof PdfArray && xfa.length === 0)) return false;
  const fields = form.get('Fields', resolve);
  return !(fields instanceof PdfArray) || fields.length === 0;
}
