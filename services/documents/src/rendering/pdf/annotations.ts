import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, type PdfRef, PdfStream } from '@libpdf/core';
import { drawWithoutAppearance } from './annotation-shapes.ts';
import type { Copier } from './copier.ts';
import type { SourcePage } from './source.ts';
import { type Box, decimal, nameOf, numbers, toBox, toNumbers } from './values.ts';

/** What draws a page's annotations and form fields as plain content: operators and the forms they name. */
export interface FlatAnnotations {
  operators: string;
  forms: [name: string, ref: PdfRef][];
}

const HIDDEN = 2;
const NO_VIEW = 32;

/**
 * Draw every annotation and form field that a viewer shows, from its appearance as it stands; comments'
 * pop-ups and everything that is only clickable vanish. Returns undefined when there is nothing to draw.
 */
export function flattenAnnotations(
  page: SourcePage,
  copier: Copier,
  register: (stream: PdfStream) => PdfRef,
): FlatAnnotations | undefined {
  const annots = page.dict.get('Annots', copier.resolve);
  if (!(annots instanceof PdfArray)) return undefined;
  const flat: FlatAnnotations = { operators: '', forms: [] };
  for (let i = 0; i < annots.length; i += 1) {
    const annot = annots.at(i, copier.resolve);
    if (annot instanceof PdfDict && isShown(annot, copier)) draw(annot);
  }
  return flat.operators === '' ? undefined : flat;

  function draw(annot: PdfDict): void {
    const rect = toBox(annot.get('Rect'), copier.resolve);
    const appearance = normalAppearance(annot, copier);
    if (!rect || !appearance) {
      flat.operators += rect ? drawWithoutAppearance(annot, rect, copier.resolve) : '';
      return;
    }
    const matrix = placement(rect, appearance, copier);
    if (!matrix) return;
    const form = copier.copy(asForm(appearance));
    if (!(form instanceof PdfStream)) return;
    const name = `KaraarFlat${flat.forms.length}`;
    flat.forms.push([name, register(form)]);
    flat.operators += `q ${matrix.map(decimal).join(' ')} cm /${name} Do Q\n`;
  }
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

/** Some programs leave out that an appearance is a form; a viewer knows it from its place, we must say it. */
function asForm(appearance: PdfStream): PdfStream {
  if (appearance.get('Subtype') instanceof PdfName) return appearance;
  const form = new PdfStream(appearance, appearance.data);
  form.set('Subtype', PdfName.of('Form'));
  return form;
}

/** §12.5.5, algorithm "Appearance streams": fit the transformed box of the appearance into the rectangle. */
function placement(rect: Box, appearance: PdfStream, copier: Copier): number[] | undefined {
  const box = toBox(appearance.get('BBox'), copier.resolve);
  if (!box) return undefined;
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
