import {
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import type { Copier } from './copier.ts';
import type { SourcePage } from './source.ts';
import { type Box, decimal, nameOf, numbers, type Resolve, toBox, toNumbers } from './values.ts';

/** What draws a page's annotations and form fields as plain content: operators and the forms they name. */
export interface FlatAnnotations {
  operators: string;
  forms: [name: string, ref: PdfRef][];
  /** Rectangles of fields and notes that were drawn anew: each viewer draws these in its own way. */
  anew: Box[];
}

const HIDDEN = 2;
const NO_VIEW = 32;

/** Where the appearances come from that the file itself does not have, or not any more. */
export interface Redrawn {
  copier: Copier;
  page: SourcePage;
  /** Whether the form asks for new appearances of its fields. */
  fields: boolean;
}

/**
 * Draw every annotation and form field that a viewer shows, from its appearance as it stands, or from the one that
 * was made for it; comments' pop-ups and everything that is only clickable vanish. Returns undefined when there is
 * nothing to draw.
 */
export function flattenAnnotations(
  page: SourcePage,
  copier: Copier,
  register: (stream: PdfStream) => PdfRef,
  redrawn?: Redrawn,
): FlatAnnotations | undefined {
  const flat: FlatAnnotations = { operators: '', forms: [], anew: [] };
  annotationsOf(page, copier).forEach((annot, i) => {
    if (!annot || !isShown(annot, copier)) return;
    const made = redrawn && annotationsOf(redrawn.page, redrawn.copier)[i];
    const isAnew = redrawn && made && isDrawnAnew(annot, copier, redrawn.fields);
    if (isAnew && draw(made, redrawn.copier, isTextMark(made, redrawn.copier))) {
      const rect = toBox(annot.get('Rect'), copier.resolve);
      if (rect && isDrawnFreely(annot, copier)) flat.anew.push(rect);
      return;
    }
    draw(annot, copier);
  });
  return flat.operators === '' ? undefined : flat;

  /** @param atPlace whether the appearance stands where it is, whatever the annotation's rectangle */
  function draw(annot: PdfDict, from: Copier, atPlace = false): boolean {
    const rect = toBox(annot.get('Rect'), from.resolve);
    const appearance = normalAppearance(annot, from);
    if (!rect || !appearance) return false;
    const matrix = atPlace ? [1, 0, 0, 1, 0, 0] : placement(rect, appearance, from);
    if (!matrix) return false;
    const form = from.copy(asForm(appearance, rect, from));
    if (!(form instanceof PdfStream)) return false;
    const name = `KaraarFlat${flat.forms.length}`;
    flat.forms.push([name, register(form)]);
    flat.operators += `q ${matrix.map(decimal).join(' ')} cm /${name} Do Q\n`;
    return true;
  }
}

/** What PDFium draws for these stands at the marked words (QuadPoints), not in the rectangle. */
function isTextMark(annot: PdfDict, copier: Copier): boolean {
  return /^(Highlight|Underline|Squiggly|StrikeOut)$/.test(nameOf(annot, 'Subtype', copier.resolve) ?? '');
}

/** What has no shape of its own in the file: a viewer chooses the size of its letters, its icon or its ends. */
function isDrawnFreely(annot: PdfDict, copier: Copier): boolean {
  const subtype = nameOf(annot, 'Subtype', copier.resolve) ?? '';
  return /^(Widget|FreeText|Text)$/.test(subtype) || isTextMark(annot, copier);
}

/** Whether a page shows an annotation or a field that must be drawn anew. */
export function needsDrawing(page: SourcePage, copier: Copier, fields: boolean): boolean {
  return annotationsOf(page, copier).some(
    (annot) => annot && isShown(annot, copier) && isDrawnAnew(annot, copier, fields),
  );
}

/** Whether a page shows a field with a value that no viewer can draw: it has no appearance, nor the letters for one. */
export function hasUndrawableValue(page: SourcePage, copier: Copier): boolean {
  return annotationsOf(page, copier).some(
    (annot) =>
      annot &&
      isShown(annot, copier) &&
      nameOf(annot, 'Subtype', copier.resolve) === 'Widget' &&
      !normalAppearance(annot, copier) &&
      !isLatin(fieldEntry(annot, 'V', copier.resolve)),
  );
}

/**
 * Whether a page shows a field whose appearance is kept although the form says that it is out of date: the letters of
 * its value are in none of the form's fonts, and viewers that draw it anew show something else or nothing.
 */
export function keepsLetters(page: SourcePage, copier: Copier, fields: boolean): boolean {
  return (
    fields &&
    annotationsOf(page, copier).some(
      (annot) =>
        annot &&
        isShown(annot, copier) &&
        nameOf(annot, 'Subtype', copier.resolve) === 'Widget' &&
        normalAppearance(annot, copier) !== undefined &&
        !isLatin(fieldEntry(annot, 'V', copier.resolve)),
    )
  );
}

function annotationsOf(page: SourcePage, copier: Copier): (PdfDict | undefined)[] {
  const annots = page.dict.get('Annots', copier.resolve);
  if (!(annots instanceof PdfArray)) return [];
  return Array.from({ length: annots.length }, (_, i) => {
    const annot = annots.at(i, copier.resolve);
    return annot instanceof PdfDict ? annot : undefined;
  });
}

/**
 * An annotation without an appearance, or with one that no box bounds; and a field whose form says that
 * its appearances are out of date (ISO 32000-1 §12.7.2, NeedAppearances). A value in letters that the fields' fonts do
 * not have keeps the appearance that its own program drew.
 */
function isDrawnAnew(annot: PdfDict, copier: Copier, fields: boolean): boolean {
  const appearance = normalAppearance(annot, copier);
  const isWidget = nameOf(annot, 'Subtype', copier.resolve) === 'Widget';
  if (!appearance) return !isInvisible(annot, copier);
  if (!toBox(appearance.get('BBox', copier.resolve), copier.resolve)) return true;
  return fields && isWidget && isLatin(fieldEntry(annot, 'V', copier.resolve));
}

/** What has nothing to show: a link without a border; a box or button that is off and has no appearance for that. */
function isInvisible(annot: PdfDict, copier: Copier): boolean {
  const subtype = nameOf(annot, 'Subtype', copier.resolve);
  if (subtype === 'Link') return borderWidth(annot, copier.resolve) === 0;
  if (subtype !== 'Widget') return false;
  const ap = annot.get('AP', copier.resolve);
  const normal = ap instanceof PdfDict ? ap.get('N', copier.resolve) : undefined;
  if (!(normal instanceof PdfDict)) return false;
  const state = nameOf(annot, 'AS', copier.resolve) ?? 'Off';
  return state === 'Off' && ![...normal].some(([, value]) => !isStream(value, copier.resolve));
}

/** §12.5.4: the style's width, else the border's, else 1. */
function borderWidth(annot: PdfDict, resolve: Resolve): number {
  const style = annot.get('BS', resolve);
  if (style instanceof PdfDict) return style.getNumber('W', resolve)?.value ?? 1;
  const border = annot.get('Border', resolve);
  const width = border instanceof PdfArray ? border.at(2, resolve) : undefined;
  return width instanceof PdfNumber ? width.value : 1;
}

function isStream(value: PdfObject | undefined, resolve: Resolve): boolean {
  return (value instanceof PdfRef ? resolve(value) : value) instanceof PdfStream;
}

/** An entry that a field inherits from those above it. */
function fieldEntry(field: PdfDict, key: string, resolve: Resolve): PdfObject | undefined {
  let node: PdfObject | undefined = field;
  for (let depth = 0; node instanceof PdfDict && depth < 32; depth += 1) {
    const value = node.get(key, resolve);
    if (value !== undefined) return value;
    node = node.get('Parent', resolve);
  }
  return undefined;
}

function isLatin(value: PdfObject | undefined): boolean {
  if (!(value instanceof PdfString)) return true;
  return !/[^\0-\u00ff\u2010-\u2026\u20ac\u2122\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192]/.test(
    value.asString(),
  );
}

function isShown(annot: PdfDict, copier: Copier): boolean {
  const subtype = nameOf(annot, 'Subtype', copier.resolve);
  if (subtype === 'Popup') return false;
  const flags = annot.getNumber('F', copier.resolve)?.value ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0 && copier.isVisible(annot.get('OC'));
}

/** The stream that draws the annotation in its present state (ISO 32000-1 §12.5.5). */
function normalAppearance(annot: PdfDict, copier: Copier): PdfStream | undefined {
  const ap = annot.get('AP', copier.resolve);
  const normal = ap instanceof PdfDict ? ap.get('N', copier.resolve) : undefined;
  if (normal instanceof PdfStream) return normal;
  if (!(normal instanceof PdfDict)) return undefined;
  const state = nameOf(annot, 'AS', copier.resolve) ?? 'Off';
  const chosen = normal.get(state, copier.resolve);
  return chosen instanceof PdfStream ? chosen : undefined;
}

/**
 * Some programs leave out that an appearance is a form; a viewer knows it from its place, we must say it. One without
 * a box is as large as its annotation.
 */
function asForm(appearance: PdfStream, rect: Box, copier: Copier): PdfStream {
  const isForm = appearance.get('Subtype') instanceof PdfName;
  const isBounded = toBox(appearance.get('BBox', copier.resolve), copier.resolve) !== undefined;
  if (isForm && isBounded) return appearance;
  const form = new PdfStream(appearance, appearance.data);
  form.set('Subtype', PdfName.of('Form'));
  if (!isBounded) form.set('BBox', numbers(...boxOf(rect)));
  return form;
}

const boxOf = (rect: Box): Box => [0, 0, rect[2] - rect[0], rect[3] - rect[1]];

/** §12.5.5, algorithm "Appearance streams": fit the transformed box of the appearance into the rectangle. */
function placement(rect: Box, appearance: PdfStream, copier: Copier): number[] | undefined {
  const box = toBox(appearance.get('BBox', copier.resolve), copier.resolve) ?? boxOf(rect);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrixOf(appearance, copier);
  const xs: number[] = [];
  const ys: number[] = [];
  for (const x of [box[0], box[2]]) {
    for (const y of [box[1], box[3]]) {
      xs.push(a * x + c * y + e);
      ys.push(b * x + d * y + f);
    }
  }
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  if (!(x1 > x0) || !(y1 > y0)) return undefined;
  const sx = (rect[2] - rect[0]) / (x1 - x0);
  const sy = (rect[3] - rect[1]) / (y1 - y0);
  return [sx, 0, 0, sy, rect[0] - x0 * sx, rect[1] - y0 * sy];
}

function matrixOf(appearance: PdfStream, copier: Copier): number[] {
  const values = toNumbers(appearance.get('Matrix'), copier.resolve);
  return values?.length === 6 ? values : [1, 0, 0, 1, 0, 0];
}

/**
 * The page's own content as a form, so that whatever graphics state it leaves behind cannot move what is
 * drawn after it. `box` must hold everything that may show.
 */
export function contentForm(bytes: PdfStream, box: Box, resources: PdfObject): PdfStream {
  bytes.set('Type', PdfName.of('XObject'));
  bytes.set('Subtype', PdfName.of('Form'));
  bytes.set('FormType', PdfNumber.of(1));
  bytes.set('BBox', numbers(...box));
  bytes.set('Resources', resources);
  return bytes;
}
