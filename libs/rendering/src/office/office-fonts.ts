/** Word files in fonts from before Unicode: without the font, what stands there is other letters. */
import { strFromU8 } from 'fflate';
import { RenderError } from '../errors.ts';
import { isRtf } from './office-check.ts';
import { unzipWithin } from './unzip-within.ts';
import { isIndianBeforeUnicode } from '../fonts/other-letters.ts';

/** Parts that are larger are not looked at; a thousand pages of text are less. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Nor those beyond so much in all: it is read while nobody else's file is. */
const MOST_IN_ALL = 4 * MOST_BYTES;
const PARTS =
  /^word\/(document|styles|fontTable|header\d*|footer\d*|footnotes|endnotes|theme\/theme\d*)\.xml$/;

/**
 * Throws `pdf_fonts` for a DOCX or an RTF file with text in such a font that it does not bring along: its sender reads Hindi, and the pages
 * made here would say "fdjk;k". Anything that cannot be read is left to the converter.
 */
export function requireOfficeFonts(name: string, bytes: Uint8Array): void {
  const font = isRtf(bytes) ? foreignFontOfRtf(bytes) : foreignFontOf(partsOf(bytes));
  if (font === undefined) return;
  throw new RenderError(
    'pdf_fonts',
    `"${name}" is written in the font ${font}, which is not in it, so its letters would be others here. Please save it as PDF on a computer that has the font, and upload that file.`,
    { file: name },
  );
}

function partsOf(bytes: Uint8Array): Map<string, string> {
  try {
    let left = MOST_IN_ALL;
    const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
      if (!PARTS.test(name) || originalSize > Math.min(left, MOST_BYTES)) return false;
      left -= originalSize;
      return true;
    };
    const parts = [...unzipWithin(bytes, filter)];
    return new Map(parts.map(([part, content]) => [part, strFromU8(content)]));
  } catch {
    return new Map();
  }
}

function foreignFontOf(parts: ReadonlyMap<string, string>): string | undefined {
  const embedded = embeddedFonts(parts.get('word/fontTable.xml') ?? '');
  const isForeign = askedOnce((font) => isIndianBeforeUnicode(font) && !embedded.has(font));
  const theme = [...parts].find(([part]) => part.startsWith('word/theme/'))?.[1] ?? '';
  const styles = stylesOf(parts.get('word/styles.xml') ?? '', themeFonts(theme));
  for (const [part, xml] of parts) {
    if (NO_TEXT.test(part)) continue;
    const font = shownFont(xml, isForeign, styles);
    if (font !== undefined) return font;
  }
  return undefined;
}

/** A name can be as long as a file, and be asked about for each text in it. */
function askedOnce(judge: (font: string) => boolean): (font: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (font) => {
    const verdict = verdicts.get(font) ?? judge(font);
    verdicts.set(font, verdict);
    return verdict;
  };
}

const NO_TEXT = /^word\/(styles|fontTable|theme\/.*)\.xml$/;

type Piece = { tag: string; attributes: string; text: string };

/** Where a name ends there is only one place to go on from: a tag that never ends is not tried at each of its letters. */
const PIECE = /<(\/?[^\s<>/]+)((?:[\s/][^<>]*)?)>|([^<]+)/g;

/** Tags and texts in order, in one pass whatever the file holds. A tag that ends something begins with a slash. */
function* pieces(xml: string): Generator<Piece> {
  for (const [, tag = '', attributes = '', text = ''] of xml.matchAll(PIECE)) {
    yield { tag: attributes.endsWith('/') ? `${tag}/` : tag, attributes, text };
  }
}

const valueOf = ({ attributes }: Piece, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
/** The font of Latin letters that a piece sets, by its name or by the theme's; undefined where it sets none. */
const fontOf = (piece: Piece, theme: ReadonlyMap<string, string>): string | undefined =>
  theme.get(valueOf(piece, 'w:asciiTheme').slice(0, 5)) ??
  ([valueOf(piece, 'w:ascii'), valueOf(piece, 'w:hAnsi')].find((font) => font !== '') || undefined);

interface Styles {
  theme: ReadonlyMap<string, string>;
  /** A style's own settings, or those of the style that it is based on. */
  of: (id: string) => string | undefined;
  /** Of text without a style. */
  usual: string | undefined;
}

/**
 * A font of these that text is set in, by itself, by its style or by the file's defaults. The mark at the end of a
 * paragraph does not count as text.
 */
function shownFont(xml: string, isForeign: (font: string) => boolean, styles: Styles): string | undefined {
  let paragraph = styles.usual;
  let run: string | undefined;
  let isMark = false;
  let isText = false;
  for (const piece of pieces(xml)) {
    const { tag } = piece;
    if (tag === 'w:p') paragraph = styles.usual;
    else if (tag === 'w:pPr' || tag === '/w:pPr') isMark = tag === 'w:pPr';
    else if (tag === 'w:r') run = undefined;
    else if (tag === 'w:rFonts/' && !isMark) run = fontOf(piece, styles.theme) ?? run;
    else if (tag === 'w:pStyle/') paragraph = styles.of(valueOf(piece, 'w:val')) ?? paragraph;
    else if (tag === 'w:rStyle/' && !isMark) run ??= styles.of(valueOf(piece, 'w:val'));
    else if (tag === 'w:t' || tag === '/w:t') isText = tag === 'w:t';
    else if (isText && piece.text.trim() !== '') {
      const font = run ?? paragraph;
      if (font !== undefined && isForeign(font)) return font;
    }
  }
  return undefined;
}

/** Styles are based on one another in shorter chains. */
const MAX_BASES = 16;

function stylesOf(xml: string, theme: ReadonlyMap<string, string>): Styles {
  const fonts = new Map<string, string>();
  const bases = new Map<string, string>();
  let [id, usual, usualStyle] = ['', undefined as string | undefined, ''];
  for (const piece of pieces(xml)) {
    const { tag } = piece;
    if (tag === 'w:style') {
      id = valueOf(piece, 'w:styleId');
      if (valueOf(piece, 'w:type') === 'paragraph' && /^(1|true|on)$/.test(valueOf(piece, 'w:default')))
        usualStyle = id;
    } else if (tag === 'w:basedOn/') bases.set(id, valueOf(piece, 'w:val'));
    else if (tag === 'w:rFonts/') {
      const font = fontOf(piece, theme);
      if (font !== undefined && id === '') usual ??= font;
      else if (font !== undefined) fonts.set(id, font);
    }
  }
  const of = (style: string): string | undefined => {
    let at: string | undefined = style;
    for (let depth = 0; at !== undefined && depth < MAX_BASES; depth += 1) {
      const font = fonts.get(at);
      if (font !== undefined) return font;
      at = bases.get(at);
    }
    return undefined;
  };
  return { theme, of, usual: of(usualStyle) ?? usual };
}

/** The theme's Latin fonts, by the first letters of their names in a style: `major…` and `minor…`. */
function themeFonts(xml: string): Map<string, string> {
  const fonts = new Map<string, string>();
  let of = '';
  for (const piece of pieces(xml)) {
    if (piece.tag === 'a:majorFont') of = 'major';
    if (piece.tag === 'a:minorFont') of = 'minor';
    const name = piece.tag === 'a:latin/' && of !== '' ? valueOf(piece, 'typeface') : '';
    if (name !== '' && !fonts.has(of)) fonts.set(of, name);
  }
  return fonts;
}

/** Groups of an RTF file that hold no text of its pages. */
const ASIDE =
  /^(\*|fonttbl|colortbl|stylesheet|info|pict|object|themedata|listtable|listoverridetable|rsidtbl|generator|xmlnstbl)$/;
/** Word nests groups less deep, and names fonts more shortly. */
const [MAX_GROUPS, MAX_NAME] = [1_000, 256];
/** Of fonts (RTF 1.9.1: a number of 16 bits). */
const MAX_NUMBER = 0xffff;
/** In one pass: the ends of groups, control words and signs, text. */
const RTF = /([{}])|\\([a-z]+)(-?\d+)? ?|\\(\*|'[0-9a-f]{2}|[^])|([^{}\\]+)/gi;

/** A font of this kind that text is set in (RTF 1.9.1, `\f`); the letters of other scripts are set by other words. */
function foreignFontOfRtf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MOST_IN_ALL)).toString(
    'latin1',
  );
  const fonts = new Map<number, string>();
  const isForeign = askedOnce(isIndianBeforeUnicode);
  type Group = { font: number; aside: string };
  let usual = 0;
  let group: Group = { font: 0, aside: '' };
  const outer: Group[] = [];
  let isFirst = false;
  for (const [, brace, word, number, sign, plain] of text.matchAll(RTF)) {
    if (outer.length > MAX_GROUPS) return undefined;
    if (brace === '{') outer.push({ ...group });
    else if (brace === '}') group = outer.pop() ?? group;
    if (
      isFirst &&
      (word !== undefined || sign !== undefined) &&
      ASIDE.test(word ?? sign ?? '') &&
      group.aside === ''
    )
      group.aside = word ?? '*';
    isFirst = brace === '{';
    if (word === 'deff') usual = Number(number ?? 0);
    if (word === 'f') group.font = Number(number ?? 0);
    if (word === 'plain' || word === 'deff') group.font = usual;
    if (group.aside === 'fonttbl' && plain !== undefined && Math.abs(group.font) <= MAX_NUMBER) {
      const known = fonts.get(group.font) ?? '';
      if (known.length < MAX_NAME)
        fonts.set(group.font, `${known}${plain.slice(0, MAX_NAME)}`.replace(/;.*/s, ''));
    }
    const font = fonts.get(group.font);
    if (group.aside === '' && /\S/.test(plain ?? '') && font !== undefined && isForeign(font)) return font;
  }
  return undefined;
}

function embeddedFonts(xml: string): Set<string> {
  const fonts = new Set<string>();
  let name = '';
  for (const piece of pieces(xml)) {
    if (piece.tag === 'w:font') name = valueOf(piece, 'w:name');
    if (piece.tag.startsWith('w:embed')) fonts.add(name);
  }
  return fonts;
}
