import { PDF, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { contentForm, flattenAnnotations } from './annotations.ts';
import { compressed, createCopier, type Copier } from './copier.ts';
import { addImagePage, type ImagePart } from './image-page.ts';
import { broken, openSource, type SourcePage, type SourcePdf } from './source.ts';
import { type Box, numbers } from './values.ts';
import { writePdf } from './writer.ts';

/** One piece of the final PDF, in order. */
export type Part = { kind: 'pdf'; name: string; bytes: Uint8Array } | ImagePart;

export interface Metadata {
  title: string;
  subject: string;
  /** ISO 8601. */
  createdAt: string;
}

export interface Assembled {
  /** The file, in pieces. */
  pieces: Uint8Array[];
  /** Pages of each part, in order. */
  pages: number[];
}

/**
 * Put the parts one after another into a new PDF. Pages keep their size, rotation and look; scripts,
 * forms, layers, annotations, embedded files, metadata and structure of the parts do not come along.
 */
export async function assemble(
  parts: readonly Part[],
  metadata: Metadata,
  maxPages: number,
): Promise<Assembled> {
  const target = PDF.create();
  const pages: number[] = [];
  for (const part of parts) {
    const room = maxPages - target.getPageCount();
    if (part.kind === 'image') pages.push(addImagePage(target, part));
    else pages.push(await appendPdf(target, part.name, part.bytes, room));
  }
  describe(target, metadata);
  return { pieces: writePdf(target), pages };
}

async function appendPdf(target: PDF, name: string, bytes: Uint8Array, maxPages: number): Promise<number> {
  const source = await openSource(name, bytes, maxPages);
  try {
    ensureFieldAppearances(source);
    const copier = createCopier(source, target);
    for (const page of source.pages) target.insertPage(target.getPageCount(), drawPage(page, copier, target));
  } catch (cause) {
    throw broken(name, 'a page cannot be drawn', cause);
  }
  return source.pages.length;
}

/** A form field that was filled without being drawn gets its appearance now, as a viewer would give it. */
function ensureFieldAppearances(source: SourcePdf): void {
  const form = source.pdf.getForm();
  if (!form) return;
  for (const field of form.getFields()) {
    if (!('needsAppearanceUpdate' in field)) continue; // a node that only groups fields
    if (!field.getWidgets().some((widget) => !widget.hasNormalAppearance())) continue;
    field.needsAppearanceUpdate = true;
    const dict = field.getDict();
    const flags = dict.getNumber('Ff', source.resolve)?.value ?? 0;
    dict.set('Ff', PdfNumber.of(flags & ~1)); // the library does not draw read-only fields
  }
  form.updateAppearances();
}

function drawPage(page: SourcePage, copier: Copier, target: PDF): PdfDict {
  const dict = PdfDict.of({ Type: PdfName.of('Page'), MediaBox: numbers(...page.mediaBox) });
  if (page.cropBox) dict.set('CropBox', numbers(...page.cropBox));
  if (page.rotate !== 0) dict.set('Rotate', PdfNumber.of(page.rotate));
  const unit = page.dict.getNumber('UserUnit', copier.resolve);
  if (unit) dict.set('UserUnit', unit);
  const group = page.dict.get('Group');
  if (group) dict.set('Group', copier.copy(group));

  const resources = copier.resources(page.resources);
  const flat = flattenAnnotations(page, copier, (stream) => target.register(stream));
  if (!flat) {
    dict.set('Resources', resources);
    dict.set('Contents', copier.contents(page));
    return dict;
  }
  const body = compressed(new PdfDict(), copier.contentBytes(page));
  const content = target.register(contentForm(body, wideEnough(page), resources));
  const forms = PdfDict.of(Object.fromEntries([['KaraarPage', content], ...flat.forms]));
  dict.set('Resources', PdfDict.of({ XObject: forms }));
  dict.set('Contents', target.register(new PdfStream([], Buffer.from(`/KaraarPage Do\n${flat.operators}`))));
  return dict;
}

/** Content may paint outside of the MediaBox; viewers cut it there, the form must not cut it earlier. */
function wideEnough(page: SourcePage): Box {
  const [x0, y0, x1, y1] = page.mediaBox;
  return [x0 - 1, y0 - 1, x1 + 1, y1 + 1];
}

function describe(pdf: PDF, metadata: Metadata): void {
  const at = new Date(metadata.createdAt);
  pdf.setMetadata({
    author: 'Karaar',
    subject: metadata.subject,
    creator: 'Karaar',
    producer: 'Karaar',
    creationDate: at,
    modificationDate: at,
  });
  pdf.setTitle(metadata.title, { showInWindowTitleBar: true });
  pdf.setLanguage('en-IN');
}
