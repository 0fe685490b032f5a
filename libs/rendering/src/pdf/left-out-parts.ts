/** Finds the parts of a PDF that flat pages cannot hold. */
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
import type { LeftOut } from '@karaar/contracts/documents/http';
import { fieldEntry, PUSHBUTTON, textOf } from './shown-words.ts';
import type { SourcePdf } from './source.ts';
import { nameOf, type Resolve } from './values.ts';

/** Annotation flags (ISO 32000-1 §12.5.3). */
const [HIDDEN, PRINT, NO_VIEW] = [2, 4, 32];

/** Actions that run code, start programs, send, fetch, clear or hide something (§12.6.4). */
const ACTIVE = new Set('JavaScript Launch SubmitForm ImportData ResetForm Hide SetOCGState'.split(' '));
const PLAYED = new Set('Rendition Movie Sound GoTo3DView RichMediaExecute'.split(' '));
const MEDIA = new Set('RichMedia Movie Sound 3D'.split(' '));
/**
 * Annotations whose text opens in a pop-up; other annotations draw their text, or describe a link or a field.
 */
const COMMENTS = new Set(
  'Text Highlight Underline Squiggly StrikeOut Square Circle Line Polygon PolyLine Ink Caret Stamp Redact FileAttachment'.split(
    ' ',
  ),
);

/**
 * Keys without actions or personal signatures below them: drawings, descriptions, names that the author
 * chose, and usage rights for Adobe's reader (UR).
 */
const ELSEWHERE = new Set('Resources DR AP Dests StructTreeRoot PieceInfo Metadata Thumb UR UR3'.split(' '));

type Finding = (dict: PdfDict, resolve: Resolve) => boolean;

const FINDINGS: readonly (readonly [LeftOut, Finding])[] = [
  ['signatures', isSignature],
  ['scripts', (dict, resolve) => dict.has('JS') || ACTIVE.has(nameOf(dict, 'S', resolve) ?? '')],
  ['xfa', (dict, resolve) => isXfa(dict.get('XFA', resolve))],
  ['hidden', isPrintOnly],
  ['comments', isComment],
  ['media', isMedia],
  ['linked', isLinked],
  ['values', isOtherState],
];

/** Returns the kinds of parts, each once, in a fixed order. `Copier.hasHidden` reports hidden layers. */
export function partsOfPdf(source: SourcePdf): LeftOut[] {
  const found = new Set<LeftOut>();
  for (const dict of dictsOf(source)) {
    for (const [part, isFound] of FINDINGS) {
      if (!found.has(part) && isFound(dict, source.resolve)) found.add(part);
    }
  }
  return FINDINGS.flatMap(([part]) => (found.has(part) ? [part] : []));
}

/** Yields every dictionary that the catalog reaches, each once: any of them may have an action. */
function* dictsOf({ pdf, resolve }: SourcePdf): Generator<PdfDict> {
  const seen = new Set<number>();
  const open: PdfObject[] = [pdf.getCatalog()];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof PdfRef) {
      if (seen.has(value.objectNumber)) continue;
      seen.add(value.objectNumber);
      const target = resolve(value);
      if (target !== null) open.push(target);
    } else if (value instanceof PdfArray) {
      for (const item of value.toArray()) open.push(item);
    } else if (value instanceof PdfDict) {
      yield value;
      for (const [key, item] of value) if (!ELSEWHERE.has(key.value)) open.push(item);
    }
  }
}

/** Returns true for a signature dictionary, or a field that has one (§12.7.4.5, §12.8.1). */
function isSignature(dict: PdfDict, resolve: Resolve): boolean {
  if (dict.has('ByteRange') && dict.get('Contents', resolve) instanceof PdfString) return true;
  return nameOf(dict, 'FT', resolve) === 'Sig' && dict.get('V', resolve) instanceof PdfDict;
}

const isXfa = (value: PdfObject | undefined): boolean =>
  value instanceof PdfStream || (value instanceof PdfArray && value.length > 0);

function isPrintOnly(dict: PdfDict, resolve: Resolve): boolean {
  if (!dict.has('Rect') || !dict.has('AP')) return false;
  const flags = dict.getNumber('F', resolve)?.value ?? 0;
  return (flags & HIDDEN) === 0 && (flags & PRINT) !== 0 && (flags & NO_VIEW) !== 0;
}

function isComment(dict: PdfDict, resolve: Resolve): boolean {
  if (!dict.has('Rect') || !COMMENTS.has(nameOf(dict, 'Subtype', resolve) ?? '')) return false;
  if (isHidden(dict, resolve)) return false;
  const isCaption =
    nameOf(dict, 'Subtype', resolve) === 'Line' && dict.getBool('Cap', resolve)?.value === true;
  if (isCaption) return false;
  return hasWords(dict.get('Contents', resolve)) || hasWords(dict.get('RC', resolve));
}

const hasWords = (value: PdfObject | undefined): boolean =>
  /[^\s\p{C}]/u.test(textOf(value).replace(/<[^<>]*>/g, ''));

const isHidden = (dict: PdfDict, resolve: Resolve): boolean =>
  ((dict.getNumber('F', resolve)?.value ?? 0) & HIDDEN) !== 0;

/** Returns true for an icon of a file that stays on the sender's disk. */
function isLinked(dict: PdfDict, resolve: Resolve): boolean {
  return dict.has('Rect') && nameOf(dict, 'Subtype', resolve) === 'FileAttachment' && dict.has('FS');
}

/** Returns true for a box or radio button that draws one state and has another as its value. */
function isOtherState(dict: PdfDict, resolve: Resolve): boolean {
  const kind = fieldEntry(dict, 'FT', resolve);
  const [value, flags] = [fieldEntry(dict, 'V', resolve), fieldEntry(dict, 'Ff', resolve)];
  if (!dict.has('Rect') || isHidden(dict, resolve) || !(kind instanceof PdfName)) return false;
  if (kind.value !== 'Btn' || !(value instanceof PdfName)) return false;
  if (flags instanceof PdfNumber && (flags.value & PUSHBUTTON) !== 0) return false;
  const look = dict.get('AP', resolve);
  const states = look instanceof PdfDict ? look.get('N', resolve) : undefined;
  const state = nameOf(dict, 'AS', resolve);
  if (!(states instanceof PdfDict) || states instanceof PdfStream || state === undefined) return false;
  return state === 'Off' ? value.value !== 'Off' && states.has(value.value) : state !== value.value;
}

function isMedia(dict: PdfDict, resolve: Resolve): boolean {
  if (PLAYED.has(nameOf(dict, 'S', resolve) ?? '')) return true;
  return dict.has('Rect') && MEDIA.has(nameOf(dict, 'Subtype', resolve) ?? '');
}
