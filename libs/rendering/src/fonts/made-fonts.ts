/** Generates fonts for Word files that use fonts which our servers lack. */
import { codePoint } from 'dingbat-to-unicode';
import { latinFont, symbolFonts } from './fonts.ts';
import { INDIAN_FAMILIES, STANDS_IN } from './other-letters.ts';
import { fontTables, glyphsOf, trueType, type FontTable } from './woff.ts';

/** A font file, and the name by which programs find it. */
export interface MadeFont {
  family: string;
  file: Buffer;
}

/** Fonts that draw symbols at the codes of letters; Word uses them for bullets and ticked boxes. */
const DINGBATS = ['Wingdings', 'Wingdings 2', 'Wingdings 3', 'Webdings'];
/** A font whose symbols are not in Unicode. */
const OTHER_DINGBATS = ['Marlett'];
/** Symbol fonts have their glyphs at these codes (OpenType, `cmap`, "Symbol"). */
const [FIRST, LAST] = [0xf020, 0xf0ff];

/** Returns fonts with the names of the symbol fonts and the shapes of the same Unicode symbols. */
export function dingbatFonts(): MadeFont[] {
  const sources = symbolFonts().map(({ woff }) => sourceOf(woff));
  return DINGBATS.map((family) => ({ family, file: dingbatFont(family, family, sources) }));
}

/** Returns the font that LibreOffice takes for a missing symbol font: it takes the first one by name. */
export function symbolStandIn(): MadeFont {
  const family = `${STANDS_IN}symbols`;
  const sources = symbolFonts().map(({ woff }) => sourceOf(woff));
  return { family, file: dingbatFont(family, 'Wingdings', sources) };
}

/**
 * Returns stand-ins for the fonts that Indian offices used before Unicode, each with a text that the names of
 * the families contain. Their letters are useless, but a page drawn with a stand-in shows that its text needs
 * the original font.
 */
export function standInFonts(): (MadeFont & { contains: string })[] {
  const tables = fontTables(latinFont());
  return [...INDIAN_FAMILIES, ...OTHER_DINGBATS].flatMap((name) =>
    [...new Set(['', ' ', '-'].map((gap) => name.replace('-', gap)))].map((contains) => {
      const family = `${STANDS_IN}${contains.replace(/[^A-Za-z0-9]/g, '')}`;
      return { contains, family, file: trueType([...others(tables, ['name']), names(family)]) };
    }),
  );
}

interface Source {
  tables: readonly FontTable[];
  glyphs: ReadonlyMap<number, number>;
}

const sourceOf = (woff: Buffer): Source => ({ tables: fontTables(woff), glyphs: glyphsOf(woff) });
const others = (tables: readonly FontTable[], without: readonly string[]): FontTable[] =>
  tables.filter(({ tag }) => !without.includes(tag));

function table({ tables }: Source, tag: string): Buffer {
  const data = tables.find((one) => one.tag === tag)?.data;
  if (!data) throw new Error(`The font has no table ${tag}`);
  return data;
}

/** The glyphs of a font, copied from other fonts. */
class Glyphs {
  readonly outlines: Buffer[] = [];
  readonly metrics: Buffer[] = [];
  readonly #numbers = new Map<Source, Map<number, number>>();

  /** Adds a glyph and its components, and returns its new number. */
  add(source: Source, glyph: number): number {
    const known = this.#numbers.get(source) ?? new Map<number, number>();
    this.#numbers.set(source, known);
    const number = known.get(glyph) ?? this.outlines.length;
    if (known.has(glyph)) return number;
    known.set(glyph, number);
    this.outlines.push(Buffer.alloc(0));
    this.metrics.push(metricsOf(source, glyph));
    const outline = outlineOf(source, glyph);
    this.outlines[number] =
      outline.length > 0 && outline.readInt16BE(0) < 0 ? this.#parts(source, outline) : plain(outline);
    return number;
  }

  /** Renumbers the components of a composite glyph (OpenType, `glyf`). */
  #parts(source: Source, outline: Buffer): Buffer {
    const copy = Buffer.from(outline);
    for (let at = 10; ;) {
      const flags = copy.readUInt16BE(at);
      copy.writeUInt16BE(flags & ~HAS_INSTRUCTIONS, at);
      copy.writeUInt16BE(this.add(source, copy.readUInt16BE(at + 2)), at + 2);
      at += 4 + ((flags & WORDS) !== 0 ? 4 : 2) + scaleBytes(flags);
      if ((flags & MORE) === 0) return copy.subarray(0, at);
    }
  }
}

const [WORDS, MORE, HAS_INSTRUCTIONS] = [0x0001, 0x0020, 0x0100];
const scaleBytes = (flags: number): number =>
  (flags & 0x0008) !== 0 ? 2 : (flags & 0x0040) !== 0 ? 4 : (flags & 0x0080) !== 0 ? 8 : 0;

/** Drops the instructions of an outline: they refer to tables that are not copied. */
function plain(outline: Buffer): Buffer {
  if (outline.length === 0) return outline;
  const at = 10 + 2 * outline.readInt16BE(0);
  return Buffer.concat([
    outline.subarray(0, at),
    Buffer.alloc(2),
    outline.subarray(at + 2 + outline.readUInt16BE(at)),
  ]);
}

function outlineOf(source: Source, glyph: number): Buffer {
  const isLong = table(source, 'head').readInt16BE(50) === 1;
  const loca = table(source, 'loca');
  const at = (index: number): number =>
    isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index);
  return table(source, 'glyf').subarray(at(glyph), at(glyph + 1));
}

/** The advance width and the left side bearing. */
function metricsOf(source: Source, glyph: number): Buffer {
  const [hmtx, count] = [table(source, 'hmtx'), table(source, 'hhea').readUInt16BE(34)];
  const last = 4 * Math.min(glyph, count - 1);
  const bearing = glyph < count ? last + 2 : 4 * count + 2 * (glyph - count);
  return Buffer.concat([hmtx.subarray(last, last + 2), hmtx.subarray(bearing, bearing + 2)]);
}

/** @param dingbats the symbol font whose codes it has */
function dingbatFont(family: string, dingbats: string, sources: readonly Source[]): Buffer {
  const [first] = sources;
  if (!first) throw new Error('There is no font of symbols');
  const glyphs = new Glyphs();
  glyphs.add(first, 0);
  const codes = Array.from({ length: LAST - FIRST + 1 }, (_, i) => {
    const point = codePoint(dingbats, (FIRST & 0xff) + i)?.codePoint;
    const source = point === undefined ? undefined : sources.find((one) => one.glyphs.has(point));
    return source && point !== undefined ? glyphs.add(source, source.glyphs.get(point) ?? 0) : 0;
  });
  const outlines = glyphs.outlines.map((outline) =>
    Buffer.concat([outline, Buffer.alloc((4 - (outline.length % 4)) % 4)]),
  );
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  outlines.reduce((at, outline, i) => {
    loca.writeUInt32BE(at + outline.length, 4 * (i + 1));
    return at + outline.length;
  }, 0);
  return trueType([
    { tag: 'glyf', data: Buffer.concat(outlines) },
    { tag: 'loca', data: loca },
    { tag: 'hmtx', data: Buffer.concat(glyphs.metrics) },
    { tag: 'cmap', data: symbolCodes(codes) },
    names(family),
    changed(first, 'head', (data) => data.writeInt16BE(1, 50)),
    changed(first, 'hhea', (data) => data.writeUInt16BE(outlines.length, 34)),
    { tag: 'maxp', data: largest(sources, outlines.length) },
    changed(first, 'OS/2', (data) => {
      data.writeUInt16BE(FIRST, 64);
      data.writeUInt16BE(LAST, 66);
      data.writeUInt32BE(0x80000000, 78); // a symbol font, which has no script
    }),
    { tag: 'post', data: Buffer.concat([Buffer.from('00030000', 'hex'), Buffer.alloc(28)]) },
  ]);
}

function changed(source: Source, tag: string, change: (data: Buffer) => unknown): FontTable {
  const data = Buffer.from(table(source, tag));
  change(data);
  return { tag, data };
}

function largest(sources: readonly Source[], glyphs: number): Buffer {
  const [first = Buffer.alloc(32), ...rest] = sources.map((source) => table(source, 'maxp'));
  const data = Buffer.from(first);
  for (let at = 6; at < 32; at += 2)
    data.writeUInt16BE(Math.max(first.readUInt16BE(at), ...rest.map((one) => one.readUInt16BE(at))), at);
  data.writeUInt16BE(glyphs, 4);
  return data;
}

/** The `cmap` table that maps symbol codes from FIRST to these glyphs (format 4). */
function symbolCodes(glyphs: readonly number[]): Buffer {
  const head = [0, 1, 3, 0, 0, 12];
  const body = [
    4,
    2 * (16 + glyphs.length),
    0,
    4,
    4,
    1,
    0,
    LAST,
    0xffff,
    0,
    FIRST,
    0xffff,
    0,
    1,
    4,
    0,
    ...glyphs,
  ];
  const data = Buffer.alloc(2 * (head.length + body.length));
  [...head, ...body].forEach((value, i) => data.writeUInt16BE(value, 2 * i));
  return data;
}

/** The `name` table: family, style, full name and PostScript name, for Windows. */
function names(family: string): FontTable {
  const texts = (
    [
      [1, family],
      [2, 'Regular'],
      [3, family],
      [4, family],
      [6, family.replaceAll(' ', '')],
    ] as const
  ).map(([id, text]) => ({ id, bytes: Buffer.from(text, 'utf16le').swap16() }));
  const head = Buffer.alloc(6 + 12 * texts.length);
  head.writeUInt16BE(texts.length, 2);
  head.writeUInt16BE(head.length, 4);
  let at = 0;
  texts.forEach(({ id, bytes }, i) => {
    [3, 1, 0x0409, id, bytes.length, at].forEach((value, j) => head.writeUInt16BE(value, 6 + 12 * i + 2 * j));
    at += bytes.length;
  });
  return { tag: 'name', data: Buffer.concat([head, ...texts.map(({ bytes }) => bytes)]) };
}
