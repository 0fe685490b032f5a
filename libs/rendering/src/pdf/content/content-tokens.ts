/** One operation of a content stream: the start of its operands and the end of its operator. */
export interface Operation {
  operator: string;
  start: number;
  end: number;
  /** Byte ranges of the top-level operands; only the last ones if there are more than any operator takes. */
  operands: readonly (readonly [start: number, end: number])[];
}

/** More than 32 colour components and the name of a pattern (ISO 32000-1 annex C). */
const MAX_OPERANDS = 64;
const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((c) => c.charCodeAt(0)));

/**
 * Yields the operations of a content stream (ISO 32000-1 §7.8.2) without interpreting them. An inline image
 * is one operation `EI` from BI to EI. Invalid bytes become part of an operation, so that all operations
 * together give the stream.
 */
export function* operations(bytes: Uint8Array): Generator<Operation> {
  let at = 0;
  let operands: [number, number][] = [];
  let start = -1;
  while (at < bytes.length) {
    at = skipWhite(bytes, at);
    if (at >= bytes.length) break;
    if (start < 0) start = at;
    const begin = at;
    at = skipToken(bytes, at);
    const first = bytes[begin] ?? 0;
    const isValue = DELIMITERS.has(first) || isNumberStart(first);
    const word = isValue ? '' : latin(bytes, begin, at);
    if (isValue || word === 'true' || word === 'false' || word === 'null') {
      operands.push([begin, at]);
      if (operands.length > MAX_OPERANDS) operands.shift();
      continue;
    }
    if (word === 'BI') {
      at = endOfInlineImage(bytes, at);
      yield { operator: 'EI', start, end: at, operands: [] };
    } else yield { operator: word, start, end: at, operands };
    operands = [];
    start = -1;
  }
}

/** Returns the bytes from `start` to before `end` as one character each (Latin-1). */
export function latin(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

/** Decodes a name without its slash. */
export function decodeName(text: string): string {
  return text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function isNumberStart(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46;
}

function skipWhite(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === 37) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
    else if (!WHITE.has(byte)) break;
    else at += 1;
  }
  return at;
}

/** The characters that end an array, and doubled a dictionary. */
const [ARRAY, DICTIONARY] = [93, 62] as const;
type Close = typeof ARRAY | typeof DICTIONARY;

/** Returns the position after the token at `from`; a dictionary or array counts as one token. */
function skipToken(bytes: Uint8Array, from: number): number {
  switch (bytes[from]) {
    case 40:
      return skipString(bytes, from);
    case 60:
      return bytes[from + 1] === 60 ? skipNested(bytes, from + 2, DICTIONARY) : skipTo(bytes, from, 62);
    case 91:
      return skipNested(bytes, from + 1, ARRAY);
    case 47:
      return skipRegular(bytes, from + 1);
    case 41:
    case 62:
    case 93:
    case 123:
    case 125:
      return from + 1; // stray delimiter
    case undefined:
      return from;
    default:
      return skipRegular(bytes, from + 1);
  }
}

function skipRegular(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !WHITE.has(bytes[at] ?? 0) && !DELIMITERS.has(bytes[at] ?? 0)) at += 1;
  return at;
}

function skipTo(bytes: Uint8Array, from: number, end: number): number {
  const found = bytes.indexOf(end, from);
  return found < 0 ? bytes.length : found + 1;
}

function skipString(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 92) at += 1;
    else if (byte === 40) depth += 1;
    else if (byte === 41) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return bytes.length;
}

/**
 * Returns the position after an array (`]`) or dictionary (`>>`) whose content begins at `from`. Not
 * recursive, because a file may nest them to any depth.
 */
function skipNested(bytes: Uint8Array, from: number, close: Close): number {
  const open: Close[] = [close];
  let at = from;
  while (at < bytes.length) {
    at = skipWhite(bytes, at);
    const [byte, next, closing] = [bytes[at], bytes[at + 1], open.at(-1)];
    if (byte === closing && (closing === ARRAY || next === DICTIONARY)) {
      open.pop();
      at += closing === ARRAY ? 1 : 2;
      if (open.length === 0) return at;
    } else if (byte === 91) {
      open.push(ARRAY);
      at += 1;
    } else if (byte === 60 && next === 60) {
      open.push(DICTIONARY);
      at += 2;
    } else at = skipToken(bytes, at);
  }
  return bytes.length;
}

/** `from` is after BI. The data ends at an EI between white space that plain text follows. */
function endOfInlineImage(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    at = skipWhite(bytes, at);
    const begin = at;
    at = skipToken(bytes, at);
    if (latin(bytes, begin, at) === 'ID') break;
  }
  for (let i = at + 1; i + 1 < bytes.length; i += 1) {
    if (bytes[i] !== 69 || bytes[i + 1] !== 73) continue;
    if (!WHITE.has(bytes[i - 1] ?? 0) || (i + 2 < bytes.length && !WHITE.has(bytes[i + 2] ?? 0))) continue;
    const after = bytes.subarray(i + 2, i + 18);
    if (after.every((byte) => WHITE.has(byte) || (byte >= 32 && byte < 127))) return i + 2;
  }
  return bytes.length;
}
