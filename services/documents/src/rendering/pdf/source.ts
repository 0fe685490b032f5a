import { PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef } from '@libpdf/core';
import { RenderError } from '../errors.ts';
import { type Box, type Resolve, toBox } from './values.ts';

/** A page of an uploaded PDF with the attributes that it inherits. Boxes are normalised to [x0 y0 x1 y1]. */
export interface SourcePage {
  dict: PdfDict;
  resources: PdfObject | undefined;
  mediaBox: Box;
  cropBox: Box | undefined;
  rotate: 0 | 90 | 180 | 270;
}

export interface SourcePdf {
  name: string;
  pdf: PDF;
  pages: SourcePage[];
  resolve: Resolve;
}

const LETTER: Box = [0, 0, 612, 792]; // what viewers assume where no MediaBox is given
const HEADER = Buffer.from('%PDF-');
/** Deeper page trees are not written by any program. */
const MAX_DEPTH = 64;

/**
 * Read an uploaded PDF. Throws `pdf_encrypted`, `pdf_broken` or `too_large`, naming the file.
 * A damaged cross-reference table is repaired as viewers do; but then everything that the pages refer to
 * must be there, because a file cut short would otherwise lose pages in silence.
 */
export async function openSource(name: string, bytes: Uint8Array, maxPages: number): Promise<SourcePdf> {
  const pdf = await parse(name, bytes);
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  if (pdf.isEncrypted || (pdf.recoveredViaBruteForce && Buffer.from(bytes).includes('/Encrypt'))) {
    throw new RenderError(
      'pdf_encrypted',
      `"${name}" is protected with a password. Please upload it without protection.`,
      {
        file: name,
      },
    );
  }
  const catalog = pdf.getCatalog();
  if (catalog.getBool('NeedsRendering', resolve)?.value === true) {
    throw broken(
      name,
      'its pages are a form (XFA) that only Adobe software can draw; please print it to PDF first',
    );
  }
  const pages: SourcePage[] = [];
  walk(catalog.get('Pages', resolve), {}, 0);
  if (pages.length === 0) throw broken(name, 'it has no pages');
  if (pdf.recoveredViaBruteForce) requireComplete(name, bytes, pages, resolve);
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
    if (node.getName('Type', resolve)?.value === 'Pages') return;
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
    return await PDF.load(bytes);
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
  return { dict, resources: own.resources, mediaBox, cropBox: toBox(own.cropBox, resolve), rotate };
}

/**
 * In a repaired file a dangling reference means lost content, not an optional part left out; and an object
 * without its end is one of which the rest was cut off.
 */
function requireComplete(
  name: string,
  bytes: Uint8Array,
  pages: readonly SourcePage[],
  resolve: Resolve,
): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lastStart = [...text.matchAll(/\d\s+\d+\s+obj\b/g)].at(-1)?.index ?? 0;
  if (text.lastIndexOf('endobj') < lastStart) throw broken(name, 'it was cut short');
  const seen = new Set<string>();
  const stack: PdfObject[] = [];
  const skip = new Set(['Parent', 'P', 'Popup', 'Dest', 'A', 'AA', 'StructParents', 'B']);
  for (const page of pages) {
    stack.push(page.dict);
    if (page.resources) stack.push(page.resources);
  }
  while (stack.length > 0) {
    const object = stack.pop();
    if (object instanceof PdfRef) {
      const key = `${object.objectNumber} ${object.generation}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const target = resolve(object);
      if (target === null) throw broken(name, 'parts of it are missing; it may have been cut short');
      stack.push(target);
    } else if (object instanceof PdfDict) {
      for (const [key, value] of object) if (value && !skip.has(key.value)) stack.push(value);
    } else if (object instanceof PdfArray) stack.push(...object);
  }
}
