/** Word files in fonts from before Unicode: without the font, what stands there is other letters. */
import { strFromU8, unzipSync } from 'fflate';
import { RenderError } from '../errors.ts';
import { isIndianBeforeUnicode } from '../fonts/other-letters.ts';

/** Parts that are larger are not looked at; a thousand pages of text are less. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Nor those beyond so much in all: it is read while nobody else's file is. */
const MOST_IN_ALL = 4 * MOST_BYTES;
const PARTS = /^word\/(document|styles|fontTable|header\d*|footer\d*|footnotes|endnotes)\.xml$/;

/**
 * Throws `pdf_fonts` for a DOCX with text in such a font that it does not bring along: its sender reads Hindi, and the pages
 * made here would say "fdjk;k". Anything that cannot be read is left to the converter.
 */
export function requireOfficeFonts(name: string, bytes: Uint8Array): void {
  const font = foreignFontOf(partsOf(bytes));
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
    const parts = Object.entries(unzipSync(bytes, { filter }));
    return new Map(parts.map(([part, content]) => [part, strFromU8(content)]));
  } catch {
    return new Map();
  }
}

function foreignFontOf(parts: ReadonlyMap<string, string>): string | undefined {
  const embedded = embeddedFonts(parts.get('word/fontTable.xml') ?? '');
  const isForeign = (font: string): boolean => isIndianBeforeUnicode(font) && !embedded.has(font);
  const styles = foreignStyles(parts.get('word/styles.xml') ?? '', isForeign);
  for (const [part, xml] of parts) {
    if (part === 'word/styles.xml' || part === 'word/fontTable.xml') continue;
    const font = shownFont(xml, isForeign, styles);
    if (font !== undefined) return font;
  }
  return undefined;
}

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
const fontsOf = (piece: Piece): string[] => [valueOf(piece, 'w:ascii'), valueOf(piece, 'w:hAnsi')];

/**
 * A font of these that text is set in, by itself or by its style. The mark at the end of a paragraph does not count
 * as text.
 */
function shownFont(
  xml: string,
  isForeign: (font: string) => boolean,
  styles: ReadonlyMap<string, string>,
): string | undefined {
  let font: string | undefined;
  let isMark = false;
  let isText = false;
  for (const piece of pieces(xml)) {
    const { tag } = piece;
    if (tag === 'w:pPr' || tag === '/w:pPr') isMark = tag === 'w:pPr';
    else if (tag === 'w:r') font = undefined;
    else if (tag === 'w:rFonts/' && !isMark) font = fontsOf(piece).find(isForeign);
    else if (tag === 'w:pStyle/' || tag === 'w:rStyle/') {
      const styled = styles.get(valueOf(piece, 'w:val'));
      if (styled !== undefined) return styled;
    } else if (tag === 'w:t' || tag === '/w:t') isText = tag === 'w:t';
    else if (isText && font !== undefined && piece.text.trim() !== '') return font;
  }
  return undefined;
}

/** Styles, by their ids, that set such a font. */
function foreignStyles(xml: string, isForeign: (font: string) => boolean): Map<string, string> {
  const styles = new Map<string, string>();
  let id = '';
  for (const piece of pieces(xml)) {
    if (piece.tag === 'w:style') id = valueOf(piece, 'w:styleId');
    const font = piece.tag === 'w:rFonts/' ? fontsOf(piece).find(isForeign) : undefined;
    if (font !== undefined && id !== '') styles.set(id, font);
  }
  return styles;
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
