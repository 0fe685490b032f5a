/** Fields of a Word file that print where it is stored: LibreOffice would print a folder of the server. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { isRtf } from './office-check.ts';

/** Fields that print the name of a file, and the switch that asks for its path (ECMA-376 Part 1 §17.16.5). */
const PRINTS_NAME = /^\s*(FILENAME|TEMPLATE)(?![a-z])/i;
const WITH_PATH = /\\p(?![a-z])/gi;
const PARTS = /^word\/[^/]+\.xml$/;

/** The file, in which these fields print the name alone. A file that cannot be read is left to the converter. */
export function withoutPaths(kind: 'doc' | 'docx', bytes: Uint8Array): Uint8Array {
  if (kind === 'docx') return inDocx(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const changed = isRtf(bytes) ? inRtf(text) : inDoc(text);
  return changed === text ? bytes : Buffer.from(changed, 'latin1');
}

function inDocx(bytes: Uint8Array): Uint8Array {
  const changed: Record<string, Uint8Array> = {};
  try {
    for (const [name, content] of Object.entries(
      unzipSync(bytes, { filter: ({ name }) => PARTS.test(name) }),
    )) {
      const xml = strFromU8(content);
      const plain = inXml(xml);
      if (plain !== xml) changed[name] = strToU8(plain);
    }
    if (Object.keys(changed).length === 0) return bytes;
    return zipSync({ ...unzipSync(bytes), ...changed }, { level: 1 });
  } catch {
    return bytes;
  }
}

/** Text of an instruction, of which a program may write several for one field. */
const INSTRUCTION = /(<(?:\w+:)?instrText(?:\s[^<>]*)?>)([^<]*)/g;
const SIMPLE = /((?:\s\w+:)?instr=)("[^"]*"|'[^']*')/g;

function inXml(xml: string): string {
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

/** In RTF a switch begins with two backslashes, and an instruction may be spread over groups. */
function inRtf(text: string): string {
  return text
    .split(/(?=\\fldinst(?![a-z]))/)
    .map((piece, i) => {
      const end = i === 0 ? 0 : endOfGroup(piece);
      const instruction = piece.slice(0, end);
      const words = instruction.replace(/\\\\/g, '\0').replace(/\\[a-z]+-?\d* ?|[{}\r\n]/gi, '');
      if (!/^\s*(\\\*)?\s*(FILENAME|TEMPLATE)(?![a-z])/i.test(words)) return piece;
      return `${instruction.replace(/\\\\([{}\s]|\\[a-z]+-?\d* ?)*p(?![a-z])/gi, ' ')}${piece.slice(end)}`;
    })
    .join('');
}

/** Where the group ends that surrounds the beginning of this text. */
function endOfGroup(text: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

/** Of a binary file: the marks of a field's beginning, of the end of its instruction, and of its own end (MS-DOC §2.8.25). */
const [BEGIN, SEPARATE, END] = ['\x13', '\x14', '\x15'];
/** Longer instructions are not written by any program. */
const LONGEST = 600;

/** A letter takes one or two bytes; no byte may move. */
function inDoc(text: string): string {
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
