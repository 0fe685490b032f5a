/** Finds the parts of a Word file that its pages cannot show. */
import type { LeftOut } from '@karaar/contracts/documents/http';
import { strFromU8 } from 'fflate';
import { readCompoundFile } from './compound-file.ts';
import { isRtf } from './office-check.ts';
import { unzipWithin } from './unzip-within.ts';
import { isIndianBeforeUnicode, isSymbols } from '../fonts/other-letters.ts';
import { otherLetters } from '../pdf/fonts/missing-letters.ts';
import { attached } from '../pdf/page-kinds.ts';
import { hasHiddenInDoc } from './hidden-in-doc.ts';

/**
 * Returns the kinds of parts, each once.
 * @throws RenderError `pdf_attachments` for a DOCX with a file behind an icon: its text may name the file as
 * a part of the agreement, but only the pages are sealed; `pdf_fonts` for a font from before Unicode that the
 * converter does not use: of WordArt, which becomes a drawing, and of a part of a run
 */
export function partsOfWord(name: string, kind: 'doc' | 'docx', bytes: Uint8Array): LeftOut[] {
  if (kind === 'docx') return partsOfDocx(name, bytes);
  return isRtf(bytes) ? partsOfRtf(bytes) : partsOfDoc(bytes);
}

/** Larger parts are skipped; a thousand pages of text are smaller. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The limit for all parts: reading blocks the files of other users. */
const MOST_IN_ALL = 4 * MOST_BYTES;
const STYLES = 'word/styles.xml';
const TEXTS = /^word\/(document\d*|header\d*|footer\d*|footnotes|endnotes)\.xml$/;
const RELATIONS = /^word\/_rels\/[^/]+\.rels$/;
const SIGNATURE = /^_xmlsignatures\/[^/]+\.xml$/;

function partsOfDocx(name: string, bytes: Uint8Array): LeftOut[] {
  const found = new Set<LeftOut>();
  const parts = readDocx(bytes, found);
  const hidden = hiddenStyles(parts.find(([part]) => part === STYLES)?.[1] ?? '');
  for (const [part, xml] of parts) {
    if (RELATIONS.test(part) && isLinked(xml)) found.add('linked');
    if (!TEXTS.test(part)) continue;
    if (/<\w+:commentReference\b/.test(xml)) found.add('comments');
    if (/<\w+:webVideoPr\b/.test(xml)) found.add('media');
    // The text of another file, which Word inserts when it opens this one.
    if (/<\w+:altChunk\b/.test(xml)) found.add('linked');
    if (/<\w+:oMath[\s>]/.test(xml)) found.add('formulas');
    if (hasHiddenText(xml, hidden)) found.add('hidden');
    const other = otherFont(xml);
    if (other !== undefined) throw otherLetters(name, other);
    for (const [, attributes = ''] of xml.matchAll(/<(?:\w+:)?textpath\b([^<>]*)>/g)) {
      const font = /font-family:\s*(?:&quot;|['"])?([^;&'"]*)/.exec(attributes)?.[1] ?? '';
      if (/\bstring="[^"]*\S/.test(attributes) && (isIndianBeforeUnicode(font) || isSymbols(font)))
        throw otherLetters(name, font);
    }
    for (const [, attributes = ''] of xml.matchAll(/<(?:\w+:)?OLEObject\b([^<>]*)>/g)) {
      if (/\bDrawAspect="Icon"/.test(attributes) && !/\bType="Link"/.test(attributes)) throw attached(name);
      if (!isDrawn(/\bProgID="([^"]*)"/.exec(attributes)?.[1] ?? '')) found.add('objects');
    }
  }
  return [...found];
}

/**
 * Returns the parts to scan, as text; the part's name shows a signature. The converter reports an unreadable
 * file.
 */
function readDocx(bytes: Uint8Array, found: Set<LeftOut>): [part: string, xml: string][] {
  let left = MOST_IN_ALL;
  try {
    const parts = unzipWithin(bytes, ({ name, originalSize }) => {
      if (SIGNATURE.test(name)) found.add('signatures');
      const isRead = TEXTS.test(name) || RELATIONS.test(name) || name === STYLES;
      if (!isRead || originalSize > Math.min(left, MOST_BYTES)) return false;
      left -= originalSize;
      return true;
    });
    return [...parts].map(([part, content]) => [part, strFromU8(content)]);
  } catch {
    return [];
  }
}

/** Formulas of old editors: their picture shows everything. */
const isDrawn = (program: string): boolean => /^(Equation|MathType)\b/i.test(program);

/** Returns true if Word loads a picture, an object or text from elsewhere. */
const isLinked = (xml: string): boolean =>
  [...xml.matchAll(/<(?:\w+:)?Relationship\b([^<>]*)>/g)].some(
    ([, attributes = '']) =>
      /\bTargetMode="External"/.test(attributes) &&
      /\bType="[^"]*\/(image|oleObject|subDocument|frame|video)"/.test(attributes),
  );

const STYLE = /<\w+:style\b([^<>]*)>((?:(?!<\/\w+:style>)[^])*)/g;
const valueOf = (attributes: string): string => /\bval="([^"]*)"/.exec(attributes)?.[1] ?? '';
const isSet = (attributes: string): boolean => !/^(0|false|off)$/.test(valueOf(attributes));

/** Returns the ids of the styles whose text is hidden, also by the style on which they are based. */
function hiddenStyles(xml: string): Set<string> {
  const styles = new Map<string, { own?: boolean; base: string }>();
  for (const [, attributes = '', content = ''] of xml.matchAll(STYLE)) {
    const own = /<\w+:vanish\b([^<>]*)>/.exec(content)?.[1];
    const base = valueOf(/<\w+:basedOn\b([^<>]*)>/.exec(content)?.[1] ?? '');
    const id = /\bstyleId="([^"]*)"/.exec(attributes)?.[1] ?? '';
    styles.set(id, own === undefined ? { base } : { own: isSet(own), base });
  }
  const isHidden = (id: string, depth = 0): boolean => {
    const style = styles.get(id);
    return style !== undefined && depth < MAX_DEPTH && (style.own ?? isHidden(style.base, depth + 1));
  };
  return new Set([...styles.keys()].filter((id) => isHidden(id)));
}

/** No program bases styles on more styles, or nests more text boxes. */
const [MAX_DEPTH, MAX_OPEN] = [32, 256];
const RUN = /<\w+:r(?=[\s>])((?:(?!<\/\w+:r>)[^])*)/g;
/** Letters in the font of `w:hAnsi`: Latin ones beyond ASCII, and punctuation (ECMA-376 Part 1 §17.3.2.26). */
const HIGH = /[\u00a1-\u02ff\u2010-\u2044\u20ac\u2122]/;

/**
 * Returns a font from before Unicode that Word uses for a part of a run only. The converter uses the font of
 * `w:ascii` for all Latin letters.
 */
function otherFont(xml: string): string | undefined {
  for (const [, run = ''] of xml.matchAll(RUN)) {
    const fonts = /<\w+:rFonts\b([^<>]*)>/.exec(run)?.[1] ?? '';
    const [ascii = '', high = '', complex = ''] = ['ascii', 'hAnsi', 'cs'].map(
      (key) => new RegExp(`:${key}="([^"]*)"`).exec(fonts)?.[1],
    );
    if (isIndianBeforeUnicode(ascii) || !isIndianBeforeUnicode(`${high} ${complex}`)) continue;
    const text = [...run.matchAll(/<\w+:t(?:\s[^<>]*)?>([^<]*)/g)].map(([, part]) => part).join('');
    if (isIndianBeforeUnicode(high) && HIGH.test(text)) return high;
    const isComplex = /<\w+:(cs|rtl)(\s*\/>|\s[^<>]*val="(1|true|on)")/.test(run);
    if (isComplex && isIndianBeforeUnicode(complex) && /[a-z]/i.test(text)) return complex;
  }
  return undefined;
}

const TAG_OR_TEXT =
  /<(\/?)\w+:(p|r|pPr|rPr|pPrChange|rPrChange|pStyle|rStyle|vanish|sym|t)(?=[\s/>])([^<>]*)>|([^<]+)/g;

/** Returns true if text is hidden, so that neither Word nor a printer shows it, or nested too deeply to read. */
function hasHiddenText(xml: string, styles: ReadonlySet<string>): boolean {
  const open: { tag: string; wasHidden: boolean }[] = [];
  let isHidden = false;
  for (const [, slash, tag, attributes = '', text = ''] of xml.matchAll(TAG_OR_TEXT)) {
    const place = `${open.at(-2)?.tag}/${open.at(-1)?.tag}`;
    if (tag === undefined) {
      if (isHidden && place.endsWith('/t') && text.trim() !== '') return true;
    } else if (slash === '/') {
      const at = open.findLastIndex((one) => one.tag === tag);
      const [closed] = at < 0 ? [] : open.splice(at);
      if (closed && /^[pr]$/.test(tag)) isHidden = closed.wasHidden;
    } else {
      if (tag === 'pStyle' && place === 'p/pPr') isHidden ||= styles.has(valueOf(attributes));
      if (tag === 'rStyle' && place === 'r/rPr') isHidden ||= styles.has(valueOf(attributes));
      if (tag === 'vanish' && place === 'r/rPr') isHidden = isSet(attributes);
      if (tag === 'sym' && isHidden) return true;
      if (!attributes.endsWith('/') && open.push({ tag, wasHidden: isHidden }) > MAX_OPEN) return true;
    }
  }
  return false;
}

/** RTF groups without page text: style and font tables, pictures, index entries. */
const ASIDE = /^(\*|stylesheet|fonttbl|colortbl|info|pict|object|xe|tc)$/;
/** Matches group ends, control words, control symbols and text in one pass. */
const RTF = /([{}])|\\([a-z]+)(-?\d+)? ?|\\(\*|[^])|([^{}\\]+)/gi;

function hasHiddenRtf(rtf: string): boolean {
  let group = { isHidden: false, isAside: false };
  const outer: (typeof group)[] = [];
  for (const [, brace, word, number, sign, text = ''] of rtf.matchAll(RTF)) {
    if (brace === '{') outer.push({ ...group });
    else if (brace === '}') group = outer.pop() ?? group;
    else if (ASIDE.test(word ?? sign ?? '')) group.isAside = true;
    else if (word === 'v') group.isHidden = number !== '0';
    else if (word === 'plain') group.isHidden = false;
    else if (group.isHidden && !group.isAside && text.trim() !== '') return true;
  }
  return false;
}

function partsOfRtf(bytes: Uint8Array): LeftOut[] {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MOST_IN_ALL)).toString(
    'latin1',
  );
  const found = new Set<LeftOut>();
  if (/\\\*\\annotation\b/.test(rtf)) found.add('comments');
  if (hasHiddenRtf(rtf)) found.add('hidden');
  if (/\\moMath(?![a-z])/i.test(rtf)) found.add('formulas');
  for (const [, kind, program = ''] of rtf.matchAll(
    /\\obj(emb|link|autlink)\b[^{}]*(?:\{\\\*\\objclass ([^{}]*)\})?/g,
  )) {
    if (kind !== 'emb') found.add('linked');
    else if (!isDrawn(program)) found.add('objects');
  }
  return [...found];
}

/** Offsets in the header of a Word 97 file: its version and the length of its comments (MS-DOC §2.5). */
const [VERSION, WORD_97, COMMENT_LETTERS] = [2, 0xc0, 92];

function partsOfDoc(bytes: Uint8Array): LeftOut[] {
  const streams = readCompoundFile(bytes);
  if (!streams) return [];
  const found = new Set<LeftOut>();
  const names = [...streams.keys()];
  if (names.some((name) => /^_(xml)?signatures(\/|$)/.test(name))) found.add('signatures');
  // Each object has its own storage; the storage of a formula has a stream with its program.
  const objects = new Set(names.flatMap((name) => /^objectpool\/[^/]+\//.exec(name)?.[0] ?? []));
  if ([...objects].some((folder) => !streams.has(`${folder}equation native`))) found.add('objects');
  const head = streams.get('worddocument')?.read() ?? Buffer.alloc(0);
  if (head.length < COMMENT_LETTERS + 4 || head.readUInt16LE(VERSION) <= WORD_97) return [...found];
  if (head.readUInt32LE(COMMENT_LETTERS) > 0) found.add('comments');
  if (hasHiddenInDoc(head, streams)) found.add('hidden');
  return [...found];
}
