/** Finds hidden text in a binary Word file (MS-DOC). */
import type { CompoundFile } from './compound-file.ts';

/** Offsets in the header: flags, and the places of two tables (MS-DOC §2.5.6): runs of format, and pieces. */
const [FLAGS, SECOND_TABLE, RUNS, PIECES] = [10, 0x0200, 0xfa, 0x1a2];
/** A page of runs of format, and the mask of its number (§2.9.33, §2.9.206). */
const [PAGE, PAGE_NUMBER] = [512, 0x3fffff];
/** The property "hidden" (§2.6.1, `sprmCFVanish`): 1 sets it, 0x81 inverts the style. */
const VANISH = 0x083c;
const HIDES = new Set([1, 0x81]);
/** The operand's size of a property by the three highest bits of its code; undefined: its first byte. */
const SIZES = [1, 1, 2, 4, 2, 2, undefined, 3];
/** The marks of a field; its instruction is not text. */
const [BEGIN, SEPARATE, END] = ['\x13', '\x14', '\x15'];

type Range = readonly [from: number, to: number];

/** Returns true if visible letters outside of field instructions are formatted as hidden. */
export function hasHiddenInDoc(main: Buffer, streams: CompoundFile): boolean {
  if (main.length < PIECES + 8) return false;
  const isSecond = (main.readUInt16LE(FLAGS) & SECOND_TABLE) !== 0;
  const table = streams.get(isSecond ? '1table' : '0table')?.read();
  if (!table) return false;
  const hidden = merged(hiddenRanges(main, tableAt(main, RUNS, table)));
  if (hidden.length === 0) return false;
  let inInstruction = 0;
  for (const { from, width, text } of piecesOf(main, tableAt(main, PIECES, table))) {
    for (let i = 0; i < text.length; i += 1) {
      const letter = text[i] ?? '';
      if (letter === BEGIN) inInstruction += 1;
      else if (letter === SEPARATE || letter === END) inInstruction = Math.max(0, inInstruction - 1);
      else if (inInstruction === 0 && /[^\s\p{C}]/u.test(letter)) {
        if (isWithin(from + i * width, hidden)) return true;
      }
    }
  }
  return false;
}

function tableAt(main: Buffer, at: number, table: Buffer): Buffer {
  const from = main.readUInt32LE(at);
  return table.subarray(from, from + main.readUInt32LE(at + 4));
}

function hiddenRanges(main: Buffer, runs: Buffer): Range[] {
  const count = Math.max(0, Math.floor((runs.length - 4) / 8));
  const ranges: Range[] = [];
  for (let i = 0; i < count; i += 1) {
    const at = (runs.readUInt32LE(4 * (count + 1) + 4 * i) & PAGE_NUMBER) * PAGE;
    const page = main.subarray(at, at + PAGE);
    const inPage = page.length < PAGE ? 0 : Math.min(101, page[PAGE - 1] ?? 0);
    for (let run = 0; run < inPage; run += 1) {
      const place = 2 * (page[4 * (inPage + 1) + run] ?? 0);
      const properties = page.subarray(place + 1, place + 1 + (page[place] ?? 0));
      if (place > 0 && isHidden(properties))
        ranges.push([page.readUInt32LE(4 * run), page.readUInt32LE(4 * run + 4)]);
    }
  }
  return ranges;
}

/** Returns the ranges in order, without overlaps. */
function merged(ranges: readonly Range[]): Range[] {
  const apart: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}

function isWithin(at: number, ranges: readonly Range[]): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return at < (ranges[low - 1]?.[1] ?? 0);
}

function isHidden(properties: Buffer): boolean {
  let hides = false;
  for (let at = 0; at + 3 <= properties.length;) {
    const code = properties.readUInt16LE(at);
    const operand = properties[at + 2] ?? 0;
    if (code === VANISH) hides = HIDES.has(operand);
    at += 2 + (SIZES[code >> 13] ?? 1 + operand);
  }
  return hides;
}

/**
 * Yields the text in its order, and where it is in the stream (§2.8.35, `PlcPcd`). No letter belongs to two
 * pieces, so reading ends after as many bytes as the stream has.
 */
function* piecesOf(main: Buffer, clx: Buffer): Generator<{ from: number; width: 1 | 2; text: string }> {
  let at = 0;
  while (at + 3 <= clx.length && clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (at + 5 > clx.length) return;
  const pieces = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.max(0, Math.floor((pieces.length - 4) / 12));
  let left = main.length;
  for (let i = 0; i < count && left > 0; i += 1) {
    const letters = Math.max(0, pieces.readUInt32LE(4 * i + 4) - pieces.readUInt32LE(4 * i));
    const place = pieces.readUInt32LE(4 * (count + 1) + 8 * i + 2);
    const isNarrow = (place & 0x40000000) !== 0;
    const width = isNarrow ? 1 : 2;
    const from = isNarrow ? (place & 0x3fffffff) / 2 : place & 0x3fffffff;
    const text = main.subarray(from, from + letters * width).toString(isNarrow ? 'latin1' : 'utf16le');
    left -= text.length * width;
    yield { from, width, text };
  }
}
