import type { LeftOut } from '@karaar/contracts/documents/http';
import { PDF, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { contentForm, flattenAnnotations, type Redrawn } from './annotations.ts';
import { RenderError } from '../errors.ts';
import { compressed, Copier } from './copier.ts';
import { addImagePage, addPicturePage, type ImagePart, type PagePicture } from './image-page.ts';
import { foreignFont } from './fonts/foreign-fonts.ts';
import { partsOfPdf } from './left-out-parts.ts';
import { openRedrawn } from './compare/redrawn.ts';
import { broken, openSource, shownArea, shownSize, type SourcePage } from './source.ts';
import { type Box, numbers } from './values.ts';
import { writePdf } from './writer.ts';

/** A part of a PDF, in order: of a `pdf` the pages from `from` to before `to`, some of which may be pictures of the view. */
export type Part =
  | {
      kind: 'pdf';
      name: string;
      bytes: Uint8Array;
      pictures?: readonly PagePicture[] | undefined;
      from?: number;
      to?: number;
    }
  | ImagePart;

export interface Metadata {
  title: string;
  subject: string;
  /** ISO 8601. */
  createdAt: string;
}

export interface Assembled {
  pieces: Uint8Array[];
  /** The number of pages of each part, in order. */
  pages: number[];
  /** The longest side of any page of a PDF part, in points. */
  longestSide: number;
  /** Redrawn rectangles by page (from 0), as fractions of the displayed page, from its top left. */
  redrawn: [page: number, areas: Box[]][];
  /** Rectangles, in the same form, that keep a drawing of words for which viewers lack letters. */
  kept: [page: number, areas: Box[]][];
  /** A font that a page uses and the file does not embed; see `foreignFont`. */
  foreign: { page: number; font: string } | undefined;
  leftOut: LeftOut[];
}

/**
 * Joins the parts into a new PDF. Pages keep their size, rotation and look; scripts, forms, layers,
 * annotations, embedded files, metadata and structure are dropped.
 */
export async function assemble(
  parts: readonly Part[],
  metadata: Metadata,
  maxPages: number,
): Promise<Assembled> {
  const target = PDF.create();
  const pages: number[] = [];
  let longestSide = 0;
  const redrawn: Assembled['redrawn'] = [];
  const kept: Assembled['kept'] = [];
  let foreign: Assembled['foreign'];
  const leftOut = new Set<LeftOut>();
  for (const part of parts) {
    const room = maxPages - target.getPageCount();
    if (part.kind === 'image') pages.push(addImagePage(target, part));
    else {
      const added = await appendPdf(target, part, room);
      pages.push(added.pages.length);
      redrawn.push(...added.redrawn);
      kept.push(...added.kept);
      foreign ??= added.foreign;
      added.leftOut.forEach((one) => leftOut.add(one));
      for (const page of added.pages) longestSide = Math.max(longestSide, ...shownSize(page));
    }
  }
  describe(target, metadata);
  return { pieces: writePdf(target), pages, longestSide, redrawn, kept, foreign, leftOut: [...leftOut] };
}

async function appendPdf(
  target: PDF,
  { name, bytes, pictures = [], from = 0, to }: Extract<Part, { kind: 'pdf' }>,
  maxPages: number,
): Promise<{ pages: readonly SourcePage[] } & Pick<Assembled, 'redrawn' | 'kept' | 'foreign' | 'leftOut'>> {
  // Of our own file only some pages are taken, whose number is known.
  const source = await openSource(name, bytes, from > 0 || to !== undefined ? Infinity : maxPages);
  const redrawn: Assembled['redrawn'] = [];
  const kept: Assembled['kept'] = [];
  const leftOut = new Set<LeftOut>();
  let foreign: Assembled['foreign'];
  try {
    const copier = new Copier(source, target);
    const redrawing = await openRedrawn(source, copier, bytes, target);
    for (const [index, page] of [...source.pages.entries()].slice(from, to)) {
      const picture = pictures.find((one) => one.page === index);
      if (picture) addPicturePage(target, page, picture);
      else {
        const { dict, areas } = drawPage(page, copier, target, redrawing.of?.(index));
        target.insertPage(target.getPageCount(), dict);
        if (areas.redrawn.length > 0) redrawn.push([index, areas.redrawn]);
        if (areas.kept.length > 0) kept.push([index, areas.kept]);
        const font = foreign ? undefined : foreignFont(dict, (ref) => target.getObject(ref));
        if (font !== undefined) foreign = { page: index, font };
      }
    }
    partsOfPdf(source).forEach((part) => leftOut.add(part));
    if (copier.hasHidden) leftOut.add('hidden');
    if (redrawing.isUnshown) leftOut.add('values');
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    throw broken(name, 'a page cannot be drawn', cause);
  }
  return { pages: source.pages.slice(from, to), redrawn, kept, foreign, leftOut: [...leftOut] };
}

function drawPage(
  page: SourcePage,
  copier: Copier,
  target: PDF,
  redrawn: Redrawn | undefined,
): { dict: PdfDict; areas: { redrawn: Box[]; kept: Box[] } } {
  const dict = PdfDict.of({ Type: PdfName.of('Page'), MediaBox: numbers(...page.mediaBox) });
  if (page.cropBox) dict.set('CropBox', numbers(...page.cropBox));
  if (page.rotate !== 0) dict.set('Rotate', PdfNumber.of(page.rotate));
  const unit = page.dict.getNumber('UserUnit', copier.resolve);
  if (unit) dict.set('UserUnit', unit);
  const group = page.dict.get('Group');
  if (group) dict.set('Group', copier.copy(group));

  const resources = copier.resources(page.resources);
  const flat = flattenAnnotations(page, copier, (stream) => target.register(stream), redrawn);
  if (!flat) {
    dict.set('Resources', resources);
    dict.set('Contents', copier.contents(page));
    return { dict, areas: { redrawn: [], kept: [] } };
  }
  const body = compressed(new PdfDict(), copier.contentBytes(page));
  const content = target.register(contentForm(body, wideEnough(page), resources));
  const forms = PdfDict.of(Object.fromEntries([['KaraarPage', content], ...flat.forms]));
  dict.set('Resources', PdfDict.of({ XObject: forms }));
  dict.set('Contents', target.register(new PdfStream([], Buffer.from(`/KaraarPage Do\n${flat.operators}`))));
  const areasOf = (rects: readonly Box[]): Box[] => rects.map((rect) => shownArea(page, rect));
  return { dict, areas: { redrawn: areasOf(flat.redrawn), kept: areasOf(flat.kept) } };
}

/** Content may paint outside the MediaBox, where viewers crop it; the form must not crop it earlier. */
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
