import { PDF, PdfArray, PdfDict, PdfNumber, type PdfObject } from '@libpdf/core';
import { withReadableNames } from '@karaar/pdf-syntax';
import { RenderError } from '../errors.ts';
import { requirePages } from './page-kinds.ts';
import { type Box, type Resolve, toBox } from './values.ts';

/** A page of an uploaded PDF with its inherited attributes. Boxes are normalised to [x0 y0 x1 y1]. */
export interface SourcePage {
  dict: PdfDict;
  resources: PdfObject | undefined;
  mediaBox: Box;
  cropBox: Box | undefined;
  rotate: 0 | 90 | 180 | 270;
  /** The length of a unit, in 1/72 inch. */
  userUnit: number;
}

export interface SourcePdf {
  name: string;
  pdf: PDF;
  pages: SourcePage[];
  resolve: Resolve;
}

const LETTER: Box = [0, 0, 612, 792]; // the viewers' default if there is no MediaBox
const HEADER = Buffer.from('%PDF-');
/** No program writes deeper page trees. */
const MAX_DEPTH = 64;

/**
 * Reads a PDF that we wrote, or an upload after its repair (uploads/repair.ts).
 * @throws RenderError `pdf_encrypted`, `pdf_broken`, `too_large` or an error of `requirePages`, with the name
 * of the file
 */
export async function openSource(name: string, bytes: Uint8Array, maxPages: number): Promise<SourcePdf> {
  const pdf = await parse(name, bytes);
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  if (pdf.isEncrypted) throw encrypted(name);
  const catalog = pdf.getCatalog();
  requirePages(name, catalog, resolve);
  const pages: SourcePage[] = [];
  walk(catalog.get('Pages', resolve), {}, 0);
  if (pages.length === 0) throw broken(name, 'it has no pages');
  return { name, pdf, pages, resolve };

  function walk(
    node: PdfObject | undefined,
    inherited: Inherited,
    depth: number,
    seen = new Set<PdfDict>(),
  ): void {
    if (!(node instanceof PdfDict)) throw broken(name, 'a page is missing');
    if (depth > MAX_DEPTH || seen.has(node)) throw broken(name, 'its list of pages runs in a circle');
    seen.add(node);
    const own: Inherited = {
      resources: node.get('Resources') ?? inherited.resources,
      mediaBox: node.get('MediaBox', resolve) ?? inherited.mediaBox,
      cropBox: node.get('CropBox', resolve) ?? inherited.cropBox,
      rotate: node.get('Rotate', resolve) ?? inherited.rotate,
    };
    const kids = node.get('Kids', resolve);
    if (kids instanceof PdfArray) {
      for (let i = 0; i < kids.length; i += 1) walk(kids.at(i, resolve), own, depth + 1, seen);
      return;
    }
    const type = node.getName('Type', resolve)?.value;
    if (type === 'Pages') return;
    // Another object in the place of a page: the parts of the file are mixed up.
    if (type !== undefined && type !== 'Page' && type !== 'Template') throw broken(name, 'a page is missing');
    if (pages.length >= maxPages) {
      throw new RenderError('too_large', `"${name}" has more than ${maxPages} pages.`, { file: name });
    }
    pages.push(toPage(name, node, own, resolve));
  }
}

interface Inherited {
  resources?: PdfObject | undefined;
  mediaBox?: PdfObject | undefined;
  cropBox?: PdfObject | undefined;
  rotate?: PdfObject | undefined;
}

/** Returns `pdf_encrypted`, for a file that needs a password. */
export function encrypted(name: string): RenderError {
  return new RenderError(
    'pdf_encrypted',
    `"${name}" is protected with a password. Please upload it without protection.`,
    { file: name },
  );
}

/** Returns `pdf_cipher`, for encryption by a certificate or by rights management. */
export function unknownCipher(name: string): RenderError {
  return new RenderError(
    'pdf_cipher',
    `"${name}" is protected in a way that no viewer here can undo (a certificate, or rights management). Please upload it without protection.`,
    { file: name },
  );
}

/** Returns the part of a page that viewers show, before rotation (ISO 32000-1 §14.11.2). */
export function shownBox({ mediaBox, cropBox }: SourcePage): Box {
  if (!cropBox) return mediaBox;
  const box: Box = [
    Math.max(mediaBox[0], cropBox[0]),
    Math.max(mediaBox[1], cropBox[1]),
    Math.min(mediaBox[2], cropBox[2]),
    Math.min(mediaBox[3], cropBox[3]),
  ];
  return box[2] > box[0] && box[3] > box[1] ? box : mediaBox;
}

/** Returns the displayed width and height of a page in points, after rotation. */
export function shownSize(page: SourcePage): [width: number, height: number] {
  const [x0, y0, x1, y1] = shownBox(page);
  const [w, h] = [(x1 - x0) * page.userUnit, (y1 - y0) * page.userUnit];
  return page.rotate === 90 || page.rotate === 270 ? [h, w] : [w, h];
}

/** Returns a rectangle as fractions of the displayed page: 0 0 is its top left, 1 1 its bottom right. */
export function shownArea(page: SourcePage, rect: Box): Box {
  const [x0, y0, x1, y1] = shownBox(page);
  const corners = [
    [rect[0], rect[1]],
    [rect[2], rect[3]],
  ].map(([x = 0, y = 0]): [number, number] => {
    const [u, v] = [(x - x0) / (x1 - x0), (y1 - y) / (y1 - y0)];
    if (page.rotate === 90) return [1 - v, u];
    if (page.rotate === 180) return [1 - u, 1 - v];
    return page.rotate === 270 ? [v, 1 - u] : [u, v];
  });
  const [us, vs] = [corners.map(([u]) => u), corners.map(([, v]) => v)];
  return [Math.min(...us), Math.min(...vs), Math.max(...us), Math.max(...vs)];
}

/**
 * Returns `pdf_broken`.
 * @param why follows "is not a PDF that can be read:", in lower case and without a full stop
 */
export function broken(name: string, why: string, cause?: unknown): RenderError {
  return new RenderError('pdf_broken', `"${name}" is not a PDF that can be read: ${why}.`, {
    file: name,
    cause,
  });
}

async function parse(name: string, bytes: Uint8Array): Promise<PDF> {
  if (Buffer.from(bytes.subarray(0, 1024)).indexOf(HEADER) < 0)
    throw broken(name, 'it does not begin as one');
  try {
    return await PDF.load(withReadableNames(bytes));
  } catch (cause) {
    throw broken(name, 'its structure is damaged', cause);
  }
}

function toPage(name: string, dict: PdfDict, own: Inherited, resolve: Resolve): SourcePage {
  const mediaBox = toBox(own.mediaBox, resolve) ?? LETTER;
  if (mediaBox[2] - mediaBox[0] < 1 || mediaBox[3] - mediaBox[1] < 1)
    throw broken(name, 'a page has no area');
  const turned = own.rotate instanceof PdfNumber ? ((own.rotate.value % 360) + 360) % 360 : 0;
  const rotate = turned === 90 || turned === 180 || turned === 270 ? turned : 0;
  const unit = dict.getNumber('UserUnit', resolve)?.value ?? 1;
  const userUnit = unit > 0 && Number.isFinite(unit) ? unit : 1;
  return { dict, resources: own.resources, mediaBox, cropBox: toBox(own.cropBox, resolve), rotate, userUnit };
}
