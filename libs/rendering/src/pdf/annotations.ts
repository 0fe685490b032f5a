import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import type { Copier } from './copier.ts';
import { wordsOf } from './shown-words.ts';
import type { SourcePage } from './source.ts';
import { type Box, decimal, nameOf, numbers, type Resolve, toBox, toNumbers } from './values.ts';

/** Draws the annotations and form fields of a page as plain content: operators and the forms they name. */
export interface FlatAnnotations {
  operators: string;
  forms: [name: string, ref: PdfRef][];
  /** Rectangles of fields and notes that were redrawn: each viewer draws these differently. */
  redrawn: Box[];
  /** Rectangles that keep a drawing of words for which viewers lack letters. */
  kept: Box[];
}

const HIDDEN = 2;
const NO_VIEW = 32;

/** The source of appearances that the file lacks or that are out of date. */
export interface Redrawn {
  /** The page with the generated appearances; undefined if none could be generated. */
  made: { copier: Copier; page: SourcePage } | undefined;
  /** True if the form asks for new appearances of its fields. */
  fields: boolean;
  /** The drawing that shows the words of an annotation, by its index on the page. */
  says: ReadonlyMap<number, 'made' | 'own'>;
}

/**
 * Draws every annotation and field that a viewer shows, from its own or its generated appearance; pop-ups and
 * clickable areas are dropped. Returns undefined if the page has nothing to draw.
 */
export function flattenAnnotations(
  page: SourcePage,
  copier: Copier,
  register: (stream: PdfStream) => PdfRef,
  redrawn?: Redrawn,
): FlatAnnotations | undefined {
  const flat: FlatAnnotations = { operators: '', forms: [], redrawn: [], kept: [] };
  annotationsOf(page, copier).forEach((annot, i) => {
    if (!annot || !isShown(annot, copier)) return;
    const rect = toBox(annot.get('Rect'), copier.resolve);
    const isRedrawn = redrawn !== undefined && isDrawnAgain(annot, copier, redrawn.fields);
    const from = isRedrawn && redrawn.says.get(i) !== 'own' ? redrawn.made : undefined;
    const made = from && annotationsOf(from.page, from.copier)[i];
    if (made && draw(made, from.copier, isTextMark(made, from.copier))) {
      const isSure = redrawn?.says.has(i) === true || wordsOf(annot, copier.resolve) === undefined;
      if (rect && isSure && isDrawnFreely(annot, copier)) flat.redrawn.push(rect);
      return;
    }
    if (draw(annot, copier) && rect && isRedrawn && redrawn.says.get(i) === 'own') flat.kept.push(rect);
  });
  return flat.operators === '' ? undefined : flat;

  function draw(annot: PdfDict, from: Copier, atPlace = false): boolean {
    const placed = placedForm(annot, from, atPlace);
    if (!placed) return false;
    const name = `KaraarFlat${flat.forms.length}`;
    flat.forms.push([name, register(placed.form)]);
    flat.operators += drawing(name, placed.matrix);
    return true;
  }
}

/** Returns the operators that draw a form at its position. */
export const drawing = (name: string, matrix: readonly number[]): string =>
  `q ${matrix.map(decimal).join(' ')} cm /${name} Do Q\n`;

/**
 * Returns an annotation's appearance as a form in the copier's target, and its placement matrix.
 * @param atPlace true if the appearance is already positioned, whatever the annotation's rectangle
 */
export function placedForm(
  annot: PdfDict,
  copier: Copier,
  atPlace = false,
): { form: PdfStream; matrix: number[] } | undefined {
  const rect = toBox(annot.get('Rect'), copier.resolve);
  const appearance = normalAppearance(annot, copier);
  if (!rect || !appearance) return undefined;
  const matrix = atPlace ? [1, 0, 0, 1, 0, 0] : placement(rect, appearance, copier);
  if (!matrix) return undefined;
  const form = copier.copy(asForm(appearance, rect, copier));
  return form instanceof PdfStream ? { form, matrix } : undefined;
}

/** A field, or an annotation that must be redrawn, with words; by its index on the page. */
export interface Wording {
  index: number;
  annot: PdfDict;
  words: readonly string[];
  isRedrawn: boolean;
}

/**
 * Returns the shown fields with words, and the shown annotations with words that must be redrawn.
 * @param fields true if the form asks for new appearances of its fields
 */
export function wordingsOf(page: SourcePage, copier: Copier, fields: boolean): Wording[] {
  return annotationsOf(page, copier).flatMap((annot, index) => {
    if (!annot || !isShown(annot, copier)) return [];
    const isRedrawn = isDrawnAgain(annot, copier, fields);
    const words = isRedrawn || isField(annot, copier) ? wordsOf(annot, copier.resolve) : undefined;
    return words ? [{ index, annot, words, isRedrawn }] : [];
  });
}

/** Returns true for the widget of a form field (ISO 32000-1 §12.5.6.19). */
export const isField = (annot: PdfDict, copier: Copier): boolean =>
  nameOf(annot, 'Subtype', copier.resolve) === 'Widget';

/** PDFium draws these at the marked words (QuadPoints), not in the rectangle. */
function isTextMark(annot: PdfDict, copier: Copier): boolean {
  return /^(Highlight|Underline|Squiggly|StrikeOut)$/.test(nameOf(annot, 'Subtype', copier.resolve) ?? '');
}

/**
 * Returns true if the file defines no exact shape: the viewer chooses the font size, the icon or the line
 * ends.
 */
function isDrawnFreely(annot: PdfDict, copier: Copier): boolean {
  const subtype = nameOf(annot, 'Subtype', copier.resolve) ?? '';
  return /^(Widget|FreeText|Text|Link)$/.test(subtype) || isTextMark(annot, copier);
}

/** Returns true if a page shows an annotation or a field that must be redrawn. */
export function needsDrawing(page: SourcePage, copier: Copier, fields: boolean): boolean {
  return annotationsOf(page, copier).some(
    (annot) => annot && isShown(annot, copier) && isDrawnAgain(annot, copier, fields),
  );
}

/** Returns the annotations by index on the page, undefined for an entry that is not a dictionary. */
export function annotationsOf(page: SourcePage, copier: Copier): (PdfDict | undefined)[] {
  const annots = page.dict.get('Annots', copier.resolve);
  if (!(annots instanceof PdfArray)) return [];
  return Array.from({ length: annots.length }, (_, i) => {
    const annot = annots.at(i, copier.resolve);
    return annot instanceof PdfDict ? annot : undefined;
  });
}

/**
 * Returns true for an annotation without an appearance or a bounding box, and for a field whose form marks
 * its appearances as out of date (ISO 32000-1 §12.7.2, NeedAppearances).
 */
function isDrawnAgain(annot: PdfDict, copier: Copier, fields: boolean): boolean {
  const appearance = normalAppearance(annot, copier);
  if (!appearance) return !isInvisible(annot, copier);
  if (!toBox(appearance.get('BBox', copier.resolve), copier.resolve)) return true;
  return fields && isField(annot, copier);
}

/**
 * Returns true for a link without a border, and for a box or button that is off without an appearance for
 * that state.
 */
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

/** §12.5.4: the width of the style, else of the border, else 1. */
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

function isShown(annot: PdfDict, copier: Copier): boolean {
  const subtype = nameOf(annot, 'Subtype', copier.resolve);
  if (subtype === 'Popup') return false;
  const flags = annot.getNumber('F', copier.resolve)?.value ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0 && copier.isVisible(annot.get('OC'));
}

/** Returns the appearance stream of the annotation's current state (ISO 32000-1 §12.5.5). */
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
 * Adds the type that some programs omit; viewers infer it from the position. An appearance without a box gets
 * the size of its annotation.
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

/** §12.5.5, algorithm "Appearance streams": fits the transformed box of the appearance into the rectangle. */
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
 * Returns the page's content as a form, so that its graphics state cannot move later drawings. `box` must
 * hold everything that may be visible.
 */
export function contentForm(bytes: PdfStream, box: Box, resources: PdfObject): PdfStream {
  bytes.set('Type', PdfName.of('XObject'));
  bytes.set('Subtype', PdfName.of('Form'));
  bytes.set('FormType', PdfNumber.of(1));
  bytes.set('BBox', numbers(...box));
  bytes.set('Resources', resources);
  return bytes;
}
