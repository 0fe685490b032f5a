/** Finds letters for which a converter had no shape, in the fonts of the PDF that it wrote. */
import { PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { RenderError } from '../../errors.ts';
import { STANDS_IN } from '../../fonts/other-letters.ts';
import type { SourcePdf } from '../source.ts';
import { nameOf, type Resolve } from '../values.ts';

const OTHER_FONT = new RegExp(`${STANDS_IN}(\\w+)`);
/** Visible letters: not blanks or format characters; private-use letters belong to symbol fonts. */
const isSeen = (letter: string): boolean => /[^\p{Z}\p{Cc}\p{Cf}]/u.test(letter);

/** No program nests forms deeper. */
const MAX_DEPTH = 12;

/**
 * Checks a converted PDF.
 * @throws RenderError `pdf_fonts` if it has letters that none of our fonts has (they would be empty boxes),
 * or text in a font from before Unicode (it would show wrong letters)
 */
export function requireLetters({ name, pages, resolve }: SourcePdf): void {
  for (const font of fontsOf(
    pages.map(({ resources }) => resources),
    resolve,
  )) {
    const letters = lettersOf(font.get('ToUnicode', resolve));
    const [, standsInFor] = OTHER_FONT.exec(nameOf(font, 'BaseFont', resolve) ?? '') ?? [];
    if (standsInFor !== undefined && [...letters.values()].some(isSeen))
      throw otherLetters(name, standsInFor);
    const letter = missingLetter(font, letters, resolve);
    if (letter !== undefined) throw noLetter(name, letter);
  }
}

/** Returns the error for text in a font from before Unicode that the file does not embed. */
export function otherLetters(file: string, font: string): RenderError {
  const why = `"${file}" is written in a font of the kind ${font}, which is not in it, so its letters would be others here. Please save it as PDF on a computer that has the font, and upload that file.`;
  return new RenderError('pdf_fonts', why, { file });
}

function noLetter(file: string, letter: string): RenderError {
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const shown = isSeen(letter) && !/\p{Co}/u.test(letter) ? `${letter}, ` : '';
  const why = `"${file}" has a letter that no font here holds (${shown}U+${code}), which would be an empty box. Please save it as PDF with its fonts embedded, and upload that file.`;
  return new RenderError('pdf_fonts', why, { file });
}

function fontsOf(pages: readonly (PdfObject | undefined)[], resolve: Resolve): Set<PdfDict> {
  const fonts = new Set<PdfDict>();
  const seen = new Set<PdfDict>();
  const valuesOf = (owner: PdfDict, key: string): PdfObject[] => {
    const entries = owner.get(key, resolve);
    return entries instanceof PdfDict
      ? [...entries].map(([, value]) => (value instanceof PdfRef ? (resolve(value) ?? value) : value))
      : [];
  };
  const look = (value: PdfObject | undefined, depth: number): void => {
    const resources = value instanceof PdfRef ? resolve(value) : value;
    if (!(resources instanceof PdfDict) || seen.has(resources) || depth > MAX_DEPTH) return;
    seen.add(resources);
    for (const font of valuesOf(resources, 'Font')) if (font instanceof PdfDict) fonts.add(font);
    for (const key of ['XObject', 'Pattern'])
      for (const form of valuesOf(resources, key))
        if (form instanceof PdfDict) look(form.get('Resources'), depth + 1);
  };
  for (const page of pages) look(page, 0);
  return fonts;
}

/** Returns a letter that the font draws with its glyph 0, as missing; undefined if every letter has a glyph. */
function missingLetter(
  font: PdfDict,
  letters: ReadonlyMap<number, string>,
  resolve: Resolve,
): string | undefined {
  const descendants = font.get('DescendantFonts', resolve);
  const owner = descendants instanceof PdfArray ? descendants.at(0, resolve) : font;
  const descriptor = owner instanceof PdfDict ? owner.get('FontDescriptor', resolve) : undefined;
  const file = descriptor instanceof PdfDict ? descriptor.get('FontFile2', resolve) : undefined;
  if (!(file instanceof PdfStream)) return undefined;
  const glyphs = outlinesOf(Buffer.from(file.getDecodedData()));
  const [missing] = glyphs;
  if (!missing) return undefined;
  for (const [number, outline] of glyphs.entries()) {
    const letter = letters.get(number);
    if (number === 0 || letter === undefined || !outline.equals(missing)) continue;
    // A font with a blank glyph 0 draws blanks and missing letters alike.
    if (missing.length > 0 || isSeen(letter)) return letter;
  }
  return undefined;
}

/** Returns the outlines of a TrueType font by glyph number; empty if the font cannot be read. */
function outlinesOf(font: Buffer): Buffer[] {
  const tables = new Map<string, Buffer>();
  for (let at = 12; at + 16 <= font.length && tables.size < font.readUInt16BE(4); at += 16) {
    const from = font.readUInt32BE(at + 8);
    tables.set(font.toString('latin1', at, at + 4), font.subarray(from, from + font.readUInt32BE(at + 12)));
  }
  const [head, loca, glyf] = ['head', 'loca', 'glyf'].map((tag) => tables.get(tag) ?? Buffer.alloc(0));
  if (!head || !loca || !glyf || head.length < 54) return [];
  const size = head.readInt16BE(50) === 1 ? 4 : 2;
  const placeOf = (index: number): number =>
    size === 4 ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index);
  return Array.from({ length: Math.max(0, Math.floor(loca.length / size) - 1) }, (_, index) =>
    glyf.subarray(placeOf(index), placeOf(index + 1)),
  );
}

/** Returns the letters of a font by code, from its ToUnicode map. */
function lettersOf(map: PdfObject | undefined): Map<number, string> {
  const letters = new Map<number, string>();
  if (!(map instanceof PdfStream)) return letters;
  const text = Buffer.from(map.getDecodedData()).toString('latin1');
  for (const [, part = ''] of text.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, code = '', letter = ''] of part.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f]*)>/gi))
      letters.set(Number.parseInt(code, 16), utf16(letter));
  }
  for (const [, part = ''] of text.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', letter = ''] of part.matchAll(
      /<([0-9a-f]+)>\s*<([0-9a-f]+)>\s*<([0-9a-f]*)>/gi,
    )) {
      const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
      const point = utf16(letter).codePointAt(0) ?? 0;
      const most = Math.min(to, from + 0xff, from + 0x10ffff - point);
      for (let code = from; code <= most; code += 1)
        letters.set(code, String.fromCodePoint(point + code - from));
    }
  }
  return letters;
}

const utf16 = (hex: string): string =>
  Buffer.from(hex.length % 4 === 0 ? hex : '', 'hex')
    .swap16()
    .toString('utf16le');
