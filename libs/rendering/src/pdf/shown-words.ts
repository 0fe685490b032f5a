/** The words that fields and comments should show, to compare with their drawings. */
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream, PdfString } from '@libpdf/core';
import { nameOf, type Resolve } from './values.ts';

/** Field flags (ISO 32000-1 §12.7.3 and §12.7.4). */
const [PASSWORD, COMBO] = [1 << 13, 1 << 17];
export const PUSHBUTTON = 1 << 16;

/** No program writes deeper field trees. */
const MAX_DEPTH = 32;

/**
 * Returns the texts that viewers may show for a field or a comment; each is an equal alternative (for example
 * the code or the name of a choice). Undefined if it does not show letters.
 */
export function wordsOf(annot: PdfDict, resolve: Resolve): string[] | undefined {
  const words = printedBy(annot, resolve).filter((text) => bare(text) !== '');
  return words.length > 0 ? words : undefined;
}

function printedBy(annot: PdfDict, resolve: Resolve): string[] {
  const subtype = nameOf(annot, 'Subtype', resolve);
  if (subtype === 'Widget') return printedByField(annot, resolve);
  const isCaption = subtype === 'Line' && annot.getBool('Cap', resolve)?.value === true;
  if (subtype !== 'FreeText' && !isCaption) return [];
  const contents = textOf(annot.get('Contents', resolve));
  return [contents === '' ? plainOf(textOf(annot.get('RC', resolve))) : contents];
}

function printedByField(field: PdfDict, resolve: Resolve): string[] {
  const entry = (key: string): PdfObject | undefined => fieldEntry(field, key, resolve);
  const [kind, bits] = [entry('FT'), entry('Ff')];
  const flags = bits instanceof PdfNumber ? bits.value : 0;
  const type = kind instanceof PdfName ? kind.value : undefined;
  if (type === 'Btn') return (flags & PUSHBUTTON) === 0 ? [] : [caption(field, resolve)];
  if (type === 'Ch') return chosen(entry('V'), entry('Opt'), (flags & COMBO) !== 0, resolve);
  if (type === 'Sig' || (flags & PASSWORD) !== 0) return [];
  const value = textOf(entry('V'));
  return [value === '' ? plainOf(textOf(entry('RV'))) : value];
}

function caption(field: PdfDict, resolve: Resolve): string {
  const look = field.get('MK', resolve);
  return look instanceof PdfDict ? textOf(look.get('CA', resolve)) : '';
}

/** A list shows every choice; another field shows the chosen one, by its name or its code. */
function chosen(
  value: PdfObject | undefined,
  options: PdfObject | undefined,
  isCombo: boolean,
  resolve: Resolve,
): string[] {
  const pairs = itemsOf(options, resolve).map((option) => {
    const [code, name] = itemsOf(option, resolve).map(textOf);
    const text = textOf(option);
    return { code: code ?? text, name: name ?? code ?? text };
  });
  if (!isCombo && pairs.length > 0) return [pairs.map(({ name }) => name).join('\n')];
  const code = textOf(value) || itemsOf(value, resolve).map(textOf).join('\n');
  const name = pairs.find((pair) => pair.code === code)?.name;
  return name === undefined || name === code ? [code] : [name, code];
}

function itemsOf(value: PdfObject | undefined, resolve: Resolve): PdfObject[] {
  if (!(value instanceof PdfArray)) return [];
  return Array.from({ length: value.length }, (_, i) => value.at(i, resolve)).filter(
    (item) => item !== undefined,
  );
}

/** Returns an entry of a field, or of its nearest ancestor that has it. */
export function fieldEntry(field: PdfDict, key: string, resolve: Resolve): PdfObject | undefined {
  let node: PdfObject | undefined = field;
  for (let depth = 0; node instanceof PdfDict && depth < MAX_DEPTH; depth += 1) {
    const value = node.get(key, resolve);
    if (value !== undefined) return value;
    node = node.get('Parent', resolve);
  }
  return undefined;
}

/** Returns a text string (ISO 32000-2 §7.9.2.2), or the text of a stream; '' for anything else. */
export function textOf(value: PdfObject | undefined): string {
  if (value instanceof PdfStream) return decodeText(value.getDecodedData());
  return value instanceof PdfString ? decodeText(value.bytes) : '';
}

function decodeText(bytes: Uint8Array): string {
  const begins = (...mark: number[]): boolean => mark.every((byte, i) => bytes[i] === byte);
  if (begins(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes);
  if (begins(0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes);
  if (begins(0xef, 0xbb, 0xbf)) return new TextDecoder('utf-8').decode(bytes);
  return new PdfString(bytes).asString();
}

/** Returns formatted text (§12.7.3.4) without its tags. */
const plainOf = (rich: string): string =>
  rich
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, digits: string) => codePoint(digits, hex ? 16 : 10))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function codePoint(digits: string, base: 10 | 16): string {
  const point = Number.parseInt(digits, base);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/**
 * Removes blanks and line breaks, which viewers place differently; PDFium returns a hyphen at a line end as
 * U+FFFE.
 */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('\u0002', '-')
    .replaceAll('\ufffe', '-')
    .replace(/[\s\p{C}]/gu, '');
}

/** Returns true if the text of a drawing is exactly these words. */
export const says = (drawing: string, words: readonly string[]): boolean =>
  words.some((text) => bare(text) === bare(drawing));

/**
 * Returns true if a drawing shows the value of its field: the same words, the chosen entries of a list, or for
 * a field that a script formats, the same whole number or any letters.
 */
export function showsValue(
  drawing: string,
  field: PdfDict,
  words: readonly string[],
  resolve: Resolve,
): boolean {
  if (says(drawing, words)) return true;
  const entry = (key: string): PdfObject | undefined => fieldEntry(field, key, resolve);
  const kind = entry('FT');
  const type = kind instanceof PdfName ? kind.value : undefined;
  if (type === 'Btn') return true;
  const flags = entry('Ff');
  if (type === 'Ch' && (!(flags instanceof PdfNumber) || (flags.value & COMBO) === 0))
    return chosen(entry('V'), entry('Opt'), true, resolve).some((text) => bare(drawing).includes(bare(text)));
  const actions = entry('AA');
  if (!(actions instanceof PdfDict) || !actions.has('F')) return false;
  const [, whole] = /^\s*-?0*(\d+)(?:[.,]\d*)?\s*$/.exec(words[0] ?? '') ?? [];
  if (whole === undefined || drawing.includes('%')) return bare(drawing) !== '';
  const shown = drawing.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return shown.startsWith(whole) || shown.startsWith(String(Number(whole) + 1));
}

/**
 * Returns true if every viewer has the letters: those of the standard fonts (ISO 32000-1 Annex D,
 * WinAnsiEncoding).
 */
export const isPlain = (words: readonly string[]): boolean =>
  words.every((text) => !BEYOND_WIN_ANSI.test(text));
const BEYOND_WIN_ANSI =
  /[^\0-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/;
