/**
 * Replaces the fields of a Word file by their last results, which the author saw. LibreOffice would recompute
 * them with its own clock, folders and names.
 */
import { strFromU8, strToU8, zipSync } from 'fflate';
import { readCompoundFile } from './compound-file.ts';
import { isRtf } from './office-check.ts';
import { unzipWithin } from './unzip-within.ts';

/**
 * Fields that stay: their text depends on the pages or on the text, or has no stored result (ECMA-376 Part 1
 * §17.16.5).
 */
const LIVE =
  /^\s*(PAGE|NUMPAGES|SECTION|SECTIONPAGES|PAGEREF|REF|NOTEREF|FTNREF|STYLEREF|SEQ|LISTNUM|AUTONUM(LGL|OUT)?|TO[AC]|T[AC]|XE|INDEX|SET|HYPERLINK|FORM(TEXT|CHECKBOX|DROPDOWN)|FILENAME|SYMBOL|EQ|ADVANCE|MACROBUTTON|GOTOBUTTON|EMBED|CONTROL|SHAPE|ADDIN|CITATION|BIBLIOGRAPHY|PRIVATE|BIDIOUTLINE)(?![a-z])/i;
const isLive = (instruction: string): boolean => instruction.trim() === '' || LIVE.test(instruction);

/** Matches the field that prints the file name, and its switch for the path. */
const PRINTS_NAME = /^\s*FILENAME(?![a-z])/i;
const WITH_PATH = /\\p(?![a-z])/gi;
const PARTS = /^word\/[^/]+\.xml$/i;
const RELATIONS = /\.rels$/i;
/** Word hides this text only on web pages; the converter would hide it in print too. */
const WEB_HIDDEN = /<(\w+:)webHidden(?=[\s/>])[^<>]*>(?:<\/\1webHidden>)?/g;
const STYLE = /(<(\w+:)style(?=[\s>])[^<>]*>)((?:(?!<\/\2style>)[^])*)/g;

/**
 * Returns the file as its author saw it in print: results in place of fields, the file name without a path, and no
 * link to content outside the file, except links to click. The converter reports an unreadable file.
 */
export function asSeen(kind: 'doc' | 'docx', bytes: Uint8Array): Uint8Array {
  if (kind === 'docx') return inDocx(bytes);
  if (!isRtf(bytes)) return inDoc(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const changed = namesInRtf(resultsInRtf(text));
  return changed === text ? bytes : Buffer.from(changed, 'latin1');
}

function inDocx(bytes: Uint8Array): Uint8Array {
  const changed: Record<string, Uint8Array> = {};
  try {
    const isLooked = ({ name }: { name: string }): boolean => PARTS.test(name) || RELATIONS.test(name);
    for (const [name, content] of unzipWithin(bytes, isLooked)) {
      const xml = strFromU8(content);
      const seen = RELATIONS.test(name) ? withinFile(xml) : asPrinted(namesInXml(resultsInXml(xml)));
      if (seen !== xml) changed[name] = strToU8(seen);
    }
    if (Object.keys(changed).length === 0) return bytes;
    const parts = Object.fromEntries(unzipWithin(bytes, () => true));
    return zipSync({ ...parts, ...changed }, { level: 1 });
  } catch {
    return bytes;
  }
}

/** Shows text as in print, and names each style by its id: the converter ignores a style without a name. */
const asPrinted = (xml: string): string =>
  xml.replace(WEB_HIDDEN, '').replace(STYLE, (style, tag: string, prefix: string, content: string) => {
    const name = /<\w+:name\s[^<>]*\bval\s*=\s*(?:"([^"]*)"|'([^']*)')[^<>]*>/.exec(content);
    if ((name?.[1] ?? name?.[2] ?? '').trim() !== '' || tag.endsWith('/>')) return style;
    const id = /\bstyleId\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag);
    const rest = name ? content.replace(name[0], '') : content;
    return `${tag}<${prefix}name ${prefix}val="${id?.[1] ?? id?.[2] ?? 'Karaar'}"/>${rest}`;
  });

const RELATION = /<(?:\w+:)?Relationship\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*>/g;

/** Keeps the external relationships of links to click only. */
function withinFile(xml: string): string {
  return xml.replace(RELATION, (relation) => {
    const isOutside = /\sTargetMode\s*=\s*["']External["']/i.test(relation);
    if (!isOutside || /\sType\s*=\s*["'][^"']*\/hyperlink["']/i.test(relation)) return relation;
    return relation.replace(/(\sTarget\s*=\s*)("[^"]*"|'[^']*')/, '$1"about:blank"');
  });
}

/** A range of a text, from and to. */
type Range = [from: number, to: number];

interface Field {
  instruction: string;
  /** True within its instruction, false within its result. */
  isCommand: boolean;
  isSimple: boolean;
  cuts: Range[];
}

/** No program nests fields deeper. */
const MAX_DEPTH = 32;
/** Matches the tags of fields, and of the texts in them. */
const TAG =
  /<(\/?)(?:\w+:)?(fldChar|fldSimple|instrText|delInstrText|t|delText)(?=[\s/>])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>/g;

function resultsInXml(xml: string): string {
  const fields: Field[] = [];
  const cuts: Range[] = [];
  /** The start of the open element; elements of these kinds do not nest. */
  let begun: { at: number; text: number } | undefined;

  /** Cuts the instructions of fields that a result replaces, with all their content. */
  const cut = (range: Range): void => fields.forEach((field) => field.isCommand && field.cuts.push(range));
  function end(range: Range): void {
    const field = fields.pop();
    if (!field) return;
    cut(range);
    if (!isLive(field.instruction)) cuts.push(...field.cuts, range);
  }
  function onMark(attributes: string, range: Range): void {
    const type = /\bfldCharType\s*=\s*["'](\w+)["']/.exec(attributes)?.[1];
    if (type === 'begin') fields.push({ instruction: '', isCommand: true, isSimple: false, cuts: [] });
    if (type === 'end') return end(range);
    cut(range);
    const field = fields.at(-1);
    if (type === 'separate' && field) field.isCommand = false;
  }

  let mark: string | undefined;
  for (const { 0: whole, 1: slash, 2: name, 3: attributes = '', index } of xml.matchAll(TAG)) {
    if (fields.length > MAX_DEPTH) return xml;
    const to = index + whole.length;
    const isWhole = attributes.endsWith('/');
    if (name === 'fldSimple') {
      if (slash === '/') {
        if (fields.at(-1)?.isSimple === true) end([index, to]);
        continue;
      }
      const instruction = /\binstr\s*=\s*("[^"]*"|'[^']*')/.exec(attributes)?.[1]?.slice(1, -1) ?? '';
      cut([index, to]);
      fields.push({ instruction, isCommand: false, isSimple: true, cuts: [[index, to]] });
      if (isWhole) end([index, to]);
    } else if (slash !== '/' && !isWhole) {
      begun = { at: index, text: to };
      if (name === 'fldChar') mark = attributes;
    } else {
      const range: Range = [slash === '/' ? (begun?.at ?? index) : index, to];
      if (name === 'fldChar') onMark(slash === '/' ? (mark ?? '') : attributes, range);
      else {
        const field = fields.at(-1);
        if (/nstrText$/.test(name ?? '') && field?.isCommand && begun && slash === '/')
          field.instruction += xml.slice(begun.text, index);
        cut(range);
      }
      begun = undefined;
    }
  }
  return without(xml, cuts);
}

function without(text: string, cuts: readonly Range[]): string {
  if (cuts.length === 0) return text;
  const kept: string[] = [];
  let at = 0;
  for (const [from, to] of [...cuts].sort(([a], [b]) => a - b)) {
    if (from > at) kept.push(text.slice(at, from));
    at = Math.max(at, to);
  }
  return kept.join('') + text.slice(at);
}

/** Matches the text of an instruction; a program may split it into several. */
const INSTRUCTION = /(<(?:\w+:)?instrText(?:\s[^<>]*)?>)([^<]*)/g;
const SIMPLE = /((?:\s\w+:)?instr=)("[^"]*"|'[^']*')/g;

function namesInXml(xml: string): string {
  return xml
    .split(/(?=<(?:\w+:)?fldChar\s)/)
    .map((piece) => {
      const whole = [...piece.matchAll(INSTRUCTION)].map(([, , text = '']) => text).join('');
      const plain = nameAlone(whole);
      if (plain === whole) return piece;
      let left = plain;
      return piece.replace(INSTRUCTION, (_, tag: string) => {
        const text = left;
        left = '';
        return `${tag}${text}`;
      });
    })
    .join('')
    .replace(SIMPLE, (_, begin: string, value: string) => {
      const quote = value.slice(0, 1);
      return `${begin}${quote}${nameAlone(value.slice(1, -1))}${quote}`;
    });
}

const nameAlone = (instruction: string): string =>
  PRINTS_NAME.test(instruction) ? instruction.replace(WITH_PATH, '') : instruction;

type RtfField = { instruction: string; cuts: Range[] };
type Group = { from: number; field?: RtfField; commandOf?: RtfField; isCommand?: boolean };
/** Matches binary data, control words, control symbols, group ends and text in one pass. */
const RTF = /\\bin(\d+) ?|\\([a-z]+)(?:-?\d+)? ?|\\([^])|([{}])|([^\\{}]+)/gi;

/**
 * An RTF field is a group with one group for its instruction and one for its result (RTF 1.9.1, "Fields").
 */
function resultsInRtf(text: string): string {
  if (!text.includes('\\fldinst')) return text;
  const cuts: Range[] = [];
  const outer: Group[] = [];
  let group: Group = { from: 0 };
  RTF.lastIndex = 0;
  for (let found = RTF.exec(text); found; found = RTF.exec(text)) {
    const [whole, binary, word, sign, brace, plain] = found;
    const range: Range = [found.index, found.index + whole.length];
    const field = group.field ?? outer.at(-1)?.field;
    if (binary !== undefined) RTF.lastIndex += Number(binary);
    else if (brace === '{') {
      outer.push(group);
      group = { from: found.index, ...(group.commandOf ? { commandOf: group.commandOf } : {}) };
    } else if (brace === '}') {
      if (group.isCommand) group.commandOf?.cuts.push([group.from, range[1]]);
      if (group.field && !isLive(group.field.instruction)) cuts.push(...group.field.cuts);
      group = outer.pop() ?? { from: range[1] };
    } else if (word === 'field') {
      group.field = { instruction: '', cuts: [range] };
      delete group.commandOf;
    } else if (word === 'fldinst' && field) Object.assign(group, { commandOf: field, isCommand: true });
    else if (/^fld(rslt|dirty|edit|lock|priv)$/.test(word ?? '')) field?.cuts.push(range);
    else if (group.commandOf) group.commandOf.instruction += plain ?? (sign === '\\' ? sign : '');
  }
  return without(text, cuts);
}

/** In RTF a switch begins with two backslashes, and an instruction may span several groups. */
function namesInRtf(text: string): string {
  return text
    .split(/(?=\\fldinst(?![a-z]))/)
    .map((piece, i) => {
      const end = i === 0 ? 0 : endOfGroup(piece);
      const instruction = piece.slice(0, end);
      const words = instruction.replace(/\\\\/g, '\0').replace(/\\[a-z]+-?\d* ?|[{}\r\n]/gi, '');
      if (!/^\s*(\\\*)?\s*FILENAME(?![a-z])/i.test(words)) return piece;
      return `${instruction.replace(/\\\\(?:[{}\s]|\\[a-z]+-?\d*)*p(?![a-z])/gi, ' ')}${piece.slice(end)}`;
    })
    .join('');
}

/** Returns the end of the group that surrounds the beginning of this text. */
function endOfGroup(text: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

/** The numbers of DOC fields (MS-DOC §2.9.90) to replace: those that are not live. */
const SEEN = new Set([
  0x07, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1b, 0x1c, 0x1e, 0x1f, 0x20,
  0x22, 0x24, 0x26, 0x27, 0x2d, 0x2e, 0x2f, 0x3b, 0x3c, 0x3d, 0x3e, 0x40, 0x43, 0x44, 0x45, 0x4f, 0x55, 0x59,
  0x5d, 0x5e,
]);
/** A number that no field has: its stored result is printed. */
const NO_FIELD = 0x02;
/** Indexes of the field tables of the text, headers, notes, comments and text boxes (FibRgFcLcb97). */
const TABLES = [16, 17, 18, 19, 48, 57, 59];
/** The same for Word 6 and 95. */
const OLD_TABLES = [16, 17, 18, 19];
const [WORD_97, FIRST_TABLE, FIRST_OLD_TABLE] = [0xc0, 154, 0x58];

function inDoc(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const file = Buffer.from(namesInDoc(text), 'latin1');
  const main = readCompoundFile(file)?.get('worddocument');
  const fib = main?.read() ?? Buffer.alloc(0);
  if (!main || fib.length < FIRST_TABLE + 8 * 60) return file;
  const isOld = fib.readUInt16LE(2) < WORD_97;
  const name = (fib.readUInt16LE(10) & 0x0200) === 0 ? '0table' : '1table';
  const table = isOld ? main : readCompoundFile(file)?.get(name);
  for (const index of isOld ? OLD_TABLES : TABLES) {
    const at = (isOld ? FIRST_OLD_TABLE : FIRST_TABLE) + 8 * index;
    const [from, size] = [fib.readUInt32LE(at), fib.readUInt32LE(at + 4)];
    if (!table || size < 10 || from + size > table.size) continue;
    // The positions of all marks and of the end, four bytes each; then two bytes for each mark.
    const marks = Math.floor((size - 4) / 6);
    for (let mark = 0; mark < marks; mark += 1) {
      const place = from + 4 * (marks + 1) + 2 * mark;
      const [kind, number] = [table.placeOf(place), table.placeOf(place + 1)];
      if (((file[kind] ?? 0) & 0x1f) === BEGIN.charCodeAt(0) && SEEN.has(file[number] ?? 0))
        file[number] = NO_FIELD;
    }
  }
  return file;
}

/**
 * The marks in a binary file: the begin of a field, the end of its instruction, the end of the field (MS-DOC
 * §2.8.25).
 */
const [BEGIN, SEPARATE, END] = ['\x13', '\x14', '\x15'];
/** No program writes longer instructions. */
const LONGEST = 600;

/** A letter takes one or two bytes; the replacement keeps every offset. */
function namesInDoc(text: string): string {
  return text
    .split(BEGIN)
    .map((piece, i) => {
      const ends = [piece.indexOf(SEPARATE), piece.indexOf(END)].filter((end) => end >= 0);
      const instruction = piece.slice(0, Math.min(LONGEST, ...ends));
      if (i === 0 || !PRINTS_NAME.test(instruction.replaceAll('\0', ''))) return piece;
      const plain = instruction.replace(/\\(\0?)p(?!\0?[a-z])/gi, (_, zero: string) => ` ${zero} `);
      return plain + piece.slice(instruction.length);
    })
    .join(BEGIN);
}
