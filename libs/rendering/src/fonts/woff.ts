import { inflateSync } from 'node:zlib';

/**
 * Reads WOFF 1.0 fonts and writes TrueType. Only fonts from our own dependencies are read; anything else
 * throws.
 */

export interface FontTable {
  tag: string;
  data: Buffer;
}

/** Returns the glyphs by code point, from the `cmap` table (formats 4 and 12). */
export function glyphsOf(woff: Uint8Array): Map<number, number> {
  const cmap = fontTables(woff).find((table) => table.tag === 'cmap')?.data;
  if (!cmap) throw new Error('The font has no cmap table');
  const glyphs = new Map<number, number>();
  const count = cmap.readUInt16BE(2);
  for (let i = 0; i < count; i += 1) {
    const offset = cmap.readUInt32BE(4 + i * 8 + 4);
    const format = cmap.readUInt16BE(offset);
    if (format === 4) readFormat4(cmap, offset, glyphs);
    else if (format === 12) readFormat12(cmap, offset, glyphs);
  }
  return glyphs;
}

/** Returns the font as a TrueType file, for programs that do not read WOFF. */
export const toTrueType = (woff: Uint8Array): Buffer => trueType(fontTables(woff));

/** Returns a TrueType file with these tables. */
export function trueType(unsorted: readonly FontTable[]): Buffer {
  const all = [...unsorted].sort((a, b) => (a.tag < b.tag ? -1 : 1));
  const header = Buffer.alloc(12 + all.length * 16);
  const log = Math.floor(Math.log2(all.length));
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(all.length, 4);
  header.writeUInt16BE(2 ** log * 16, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE((all.length - 2 ** log) * 16, 10);
  const parts: Buffer[] = [header];
  let offset = header.length;
  all.forEach(({ tag, data }, i) => {
    const at = 12 + i * 16;
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    header.write(tag, at, 'latin1');
    header.writeUInt32BE(checksum(padded), at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(data.length, at + 12);
    parts.push(padded);
    offset += padded.length;
  });
  return Buffer.concat(parts);
}

function checksum(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

/**
 * Returns the tables of a WOFF font.
 * @throws Error for another format
 */
export function fontTables(bytes: Uint8Array): FontTable[] {
  const woff = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (woff.readUInt32BE(0) !== 0x774f4646) throw new Error('Not a WOFF font');
  return Array.from({ length: woff.readUInt16BE(12) }, (_, i) => {
    const at = 44 + i * 20;
    const offset = woff.readUInt32BE(at + 4);
    const packed = woff.readUInt32BE(at + 8);
    const data = woff.subarray(offset, offset + packed);
    const isPacked = packed < woff.readUInt32BE(at + 12);
    return { tag: woff.toString('latin1', at, at + 4), data: isPacked ? inflateSync(data) : data };
  });
}

function readFormat4(cmap: Buffer, offset: number, glyphs: Map<number, number>): void {
  const doubled = cmap.readUInt16BE(offset + 6);
  const ends = offset + 14;
  const starts = ends + doubled + 2;
  const deltas = starts + doubled;
  const ranges = deltas + doubled;
  for (let i = 0; i < doubled; i += 2) {
    const end = cmap.readUInt16BE(ends + i);
    const start = cmap.readUInt16BE(starts + i);
    const delta = cmap.readUInt16BE(deltas + i);
    const range = cmap.readUInt16BE(ranges + i);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const raw = range === 0 ? code : cmap.readUInt16BE(ranges + i + range + (code - start) * 2);
      const glyph = raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
}

function readFormat12(cmap: Buffer, offset: number, glyphs: Map<number, number>): void {
  const groups = cmap.readUInt32BE(offset + 12);
  for (let i = 0; i < groups; i += 1) {
    const at = offset + 16 + i * 12;
    const end = cmap.readUInt32BE(at + 4);
    const [start, first] = [cmap.readUInt32BE(at), cmap.readUInt32BE(at + 8)];
    for (let code = start; code <= end; code += 1) glyphs.set(code, first + code - start);
  }
}
