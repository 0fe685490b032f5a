/**
 * Names are bytes (ISO 32000-1 §7.3.5). The library reads them as UTF-8 and destroys others, such as font
 * names in GBK or Latin-1. Therefore bytes beyond ASCII are passed to it as private-use characters, one for
 * each byte.
 */

/** The first of 128 private-use characters; U+E080 is the byte 0x80. */
const PRIVATE = 0xe000;

const [HASH, SLASH, OPEN, CLOSE, LESS, GREATER, BACKSLASH, PERCENT] = [35, 47, 40, 41, 60, 62, 92, 37];
const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((c) => c.charCodeAt(0)));
const END = Buffer.from('endstream');
const LENGTH = '/Length';

/**
 * Replaces each `#80` to `#ff` of a name by a private-use character in UTF-8, in a file that qpdf or
 * `writeValue` wrote. The replacement has the same length, so that all offsets stay valid. Strings and
 * streams stay unchanged.
 */
export function withReadableNames(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  let out: Buffer | undefined;
  let before = '';
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    const begin = at;
    if (WHITE.has(byte)) {
      at += 1;
      continue;
    }
    if (byte === PERCENT) at = endOfLine(bytes, at);
    else if (byte === OPEN) at = endOfString(bytes, at);
    else if (byte === LESS && bytes[at + 1] === LESS) at += 2;
    else if (byte === LESS) at = after(bytes.indexOf(GREATER, at), bytes);
    else {
      at += 1;
      if (byte === SLASH || !DELIMITERS.has(byte)) at = endOfWord(bytes, at);
      const word = bytes.toString('latin1', begin, at);
      if (byte === SLASH && /#[89a-f][0-9a-f]/i.test(word)) {
        out ??= Buffer.from(bytes);
        replaceEscapes(out.subarray(begin, at));
      } else if (before === LENGTH) length = Number(word) || 0;
      else if (word === 'stream') at = endOfStream(bytes, at, length);
      if (word === 'obj') length = 0;
      before = word;
    }
  }
  return out ?? file;
}

/**
 * Returns the bytes of a name, one character each. A name without private-use characters is taken as UTF-8.
 */
export function nameBytes(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name;
  // The library reads a name without other escapes byte by byte, so its private-use characters are still in
  // UTF-8.
  const joined = name.replace(/\u00ee[\u0082\u0083][\u0080-\u00bf]/g, (c) =>
    Buffer.from(c, 'latin1').toString(),
  );
  return Array.from(joined, (c) => {
    const byte = c.charCodeAt(0) - PRIVATE;
    return byte >= 0x80 && byte <= 0xff ? String.fromCharCode(byte) : Buffer.from(c).toString('latin1');
  }).join('');
}

function replaceEscapes(name: Buffer): void {
  for (let at = name.indexOf(HASH); at >= 0 && at + 2 < name.length; at = name.indexOf(HASH, at + 1)) {
    const hex = name.toString('latin1', at + 1, at + 3);
    if (/^[89a-f][0-9a-f]$/i.test(hex))
      name.write(String.fromCharCode(PRIVATE + Number.parseInt(hex, 16)), at, 'utf8');
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
  return at;
}

function endOfWord(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && !WHITE.has(bytes[at] ?? 0) && !DELIMITERS.has(bytes[at] ?? 0)) at += 1;
  return at;
}

function endOfString(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Skips the data, whose length may be in another object. */
function endOfStream(bytes: Buffer, from: number, length: number): number {
  const data = from + (bytes[from] === 13 ? 2 : 1);
  const end = bytes.indexOf(END, data + length);
  return end < 0 ? bytes.length : end;
}

const after = (found: number, bytes: Buffer): number => (found < 0 ? bytes.length : found + 1);
