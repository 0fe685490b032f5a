/** Finds text in fonts that the file does not embed: its look then depends on the reader's computer. */
import { PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { nameBytes } from '@karaar/pdf-syntax';
import { isIndianBeforeUnicode, isSymbols } from '../../fonts/other-letters.ts';
import { decodeName, latin, type Operation, operations } from '../content/content-tokens.ts';
import { nameOf, type Resolve } from '../values.ts';

/** No program nests forms deeper. */
const MAX_DEPTH = 12;

/** Invisible text render modes: 3, and 7, which only clips. */
const UNSEEN = new Set(['3', '7']);

const SHOWS = /^(Tj|TJ|'|")$/;
/** Matches a string with more than blanks, in either notation. */
const LETTERS = /\(\s*[^\s)]|<\s*[0-9A-Fa-f]/;
/** Matches strings of the first glyphs of a font, which have no shape: missing, null, line break, blank. */
const NOTHING = /<(\s*000[0-3])*\s*>|\((\\00[0-3])*\)/g;

/**
 * Returns the name of the first font whose visible text may differ on other computers: a font that is not
 * embedded and is composite (Type 0) or has special letters. Undefined for a page without such fonts. Standard fonts, and
 * Latin fonts that viewers replace by similar ones, do not count.
 * @param isForeign selects other fonts instead
 */
export function foreignFont(
  page: PdfDict,
  resolve: Resolve,
  isForeign: (font: PdfDict, resolve: Resolve) => boolean = hasLettersOfItsOwn,
): string | undefined {
  const seen = new Set<PdfDict>();
  const parts = page.get('Contents', resolve);
  const streams = parts instanceof PdfArray ? parts.toArray() : parts ? [parts] : [];
  const bytes = (): Uint8Array =>
    Buffer.concat(streams.map((part) => resolved(part, resolve)).flatMap((part) => decoded(part)));
  return inContent(bytes, page.get('Resources', resolve), 0);

  function inContent(
    content: () => Uint8Array,
    res: PdfObject | undefined,
    depth: number,
  ): string | undefined {
    if (!(res instanceof PdfDict) || depth > MAX_DEPTH) return undefined;
    const foreign = foreignFonts(res, resolve, isForeign);
    const name = foreign.size > 0 ? firstShown(content(), foreign) : undefined;
    return name ?? inForms(content, res, depth);
  }

  function inForms(content: () => Uint8Array, res: PdfDict, depth: number): string | undefined {
    const forms = res.get('XObject', resolve);
    if (!(forms instanceof PdfDict)) return undefined;
    for (const [key, value] of forms) {
      const form = resolved(value, resolve);
      if (!(form instanceof PdfStream) || nameOf(form, 'Subtype', resolve) !== 'Form' || seen.has(form))
        continue;
      seen.add(form);
      const own = form.get('Resources', resolve) ?? res;
      const name = inContent(() => Buffer.concat(decoded(form)), own, depth + 1);
      if (name !== undefined && draws(content(), nameBytes(key.value))) return name;
    }
    return undefined;
  }
}

/** Returns the foreign fonts of these resources, by the names that content uses. */
function foreignFonts(
  resources: PdfDict,
  resolve: Resolve,
  isForeign: (font: PdfDict, resolve: Resolve) => boolean,
): Map<string, string> {
  const fonts = resources.get('Font', resolve);
  const foreign = new Map<string, string>();
  if (!(fonts instanceof PdfDict)) return foreign;
  for (const [key, value] of fonts) {
    const font = resolved(value, resolve);
    if (!(font instanceof PdfDict) || !isForeign(font, resolve)) continue;
    foreign.set(nameBytes(key.value), nameOf(font, 'BaseFont', resolve) ?? key.value);
  }
  return foreign;
}

function hasLettersOfItsOwn(font: PdfDict, resolve: Resolve): boolean {
  const subtype = nameOf(font, 'Subtype', resolve);
  if (subtype === 'Type0') {
    const descendants = font.get('DescendantFonts', resolve);
    const own = descendants instanceof PdfArray ? descendants.at(0, resolve) : undefined;
    return !(own instanceof PdfDict) || !isEmbedded(own, resolve);
  }
  const name = nameOf(font, 'BaseFont', resolve) ?? '';
  const hasOwnLetters = isSymbols(name) || isIndianBeforeUnicode(name);
  return hasOwnLetters && subtype !== 'Type3' && !isEmbedded(font, resolve);
}

/** Returns true if a font that is not embedded has letters beyond those of every viewer. */
export function wantsMoreLetters(font: PdfDict, resolve: Resolve): boolean {
  const subtype = nameOf(font, 'Subtype', resolve);
  if (subtype === 'Type0') return hasLettersOfItsOwn(font, resolve);
  if (subtype === 'Type3' || isEmbedded(font, resolve)) return false;
  const encoding = font.get('Encoding', resolve);
  const named = encoding instanceof PdfDict ? encoding.get('Differences', resolve) : undefined;
  return (
    named instanceof PdfArray &&
    named.toArray().some((glyph) => glyph instanceof PdfName && !isStandard(glyph.value))
  );
}

/** The glyphs of the standard fonts by name (ISO 32000-1 Annex D.2). */
const isStandard = (glyph: string): boolean => LETTER.test(glyph) || SIGNS.has(glyph);
const LETTER =
  /^([a-z]|[aeiou](acute|circumflex|dieresis|grave)|[ano]tilde|aring|ccedilla|[lo]slash|[sz]caron|y(acute|dieresis)|ae|oe|eth|thorn)$/i;
const SIGNS = new Set(
  `.notdef space nbspace exclam quotedbl numbersign dollar percent ampersand quotesingle quoteright quoteleft parenleft
  parenright asterisk plus comma hyphen sfthyphen minus period slash zero one two three four five six seven eight nine
  colon semicolon less equal greater question at bracketleft backslash bracketright asciicircum underscore grave braceleft
  bar braceright asciitilde exclamdown cent sterling fraction yen florin section currency quotedblleft guillemotleft
  guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase
  quotedblright guillemotright ellipsis perthousand questiondown acute circumflex tilde macron breve dotaccent dieresis
  ring cedilla hungarumlaut ogonek caron emdash ordfeminine ordmasculine dotlessi germandbls onesuperior twosuperior
  threesuperior onequarter onehalf threequarters multiply divide plusminus mu logicalnot degree brokenbar copyright
  registered trademark Euro`.split(/\s+/),
);

function isEmbedded(font: PdfDict, resolve: Resolve): boolean {
  const descriptor = font.get('FontDescriptor', resolve);
  return (
    descriptor instanceof PdfDict &&
    ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.get(key, resolve) instanceof PdfStream)
  );
}

function firstShown(bytes: Uint8Array, foreign: ReadonlyMap<string, string>): string | undefined {
  type Text = { font: string | undefined; mode: string };
  let state: Text = { font: undefined, mode: '0' };
  const saved: Text[] = [];
  for (const op of operations(bytes)) {
    if (op.operator === 'q') saved.push({ ...state });
    else if (op.operator === 'Q') state = saved.pop() ?? state;
    else if (op.operator === 'Tf') state.font = foreign.get(decodeName(operand(bytes, op, 0).slice(1)));
    else if (op.operator === 'Tr') state.mode = operand(bytes, op, 0);
    else if (SHOWS.test(op.operator) && state.font !== undefined && !UNSEEN.has(state.mode)) {
      if (LETTERS.test(operand(bytes, op, op.operands.length - 1).replace(NOTHING, ''))) return state.font;
    }
  }
  return undefined;
}

function draws(bytes: Uint8Array, name: string): boolean {
  for (const op of operations(bytes)) {
    if (op.operator === 'Do' && decodeName(operand(bytes, op, 0).slice(1)) === name) return true;
  }
  return false;
}

function operand(bytes: Uint8Array, op: Operation, index: number): string {
  const range = op.operands[index];
  return range ? latin(bytes, range[0], range[1]) : '';
}

function resolved(value: PdfObject, resolve: Resolve): PdfObject | undefined {
  return value instanceof PdfRef ? (resolve(value) ?? undefined) : value;
}

function decoded(part: PdfObject | undefined): Uint8Array[] {
  return part instanceof PdfStream ? [part.getDecodedData(), Buffer.from('\n')] : [];
}
