import { inflateSync } from 'node:zlib';

/** Readers of WOFF 1.0 fonts. Only fonts from our own dependencies are read; anything else throws. */

interface Table {
  tag: string;
  checksum: number;
  data: Buffer;
}

/** The code points for which the font has a glyph, from its `cmap` table (formats 4 and 12). */
export function coveredCodePoints(woff: Uint8Array): Set<number> {
  const cmap = tables(woff).find((table) => table.tag === 'cmap')?.data;
  if (!cmap) throw new Error('The font has no cmap table');
  const covered = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let i = 0; i < count; i += 1) {
    const offset = cmap.readUInt32BE(4 + i * 8 + 4);
    const format = cmap.readUInt16BE(offset);
    if (format === 4) readFormat4(cmap, offset, covered);
    else if (format === 12) readFormat12(cmap, offset, covered);
  }
  return covered;
}

/** The font as a TrueType file, which programs outside of the web can load. */
export function toTrueType(woff: Uint8Array): Buffer {
  const all = tables(woff);
  const flavor = Buffer.from(woff.buffer, woff.byteOffset).readUInt32BE(4);
  const header = Buffer.alloc(12 + all.length * 16);
  const log = Math.floor(Math.log2(all.length));
  header.writeUInt32BE(flavor, 0);
  header.writeUInt16BE(all.length, 4);
  header.writeUInt16BE(2 ** log * 16, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE((all.length - 2 ** log) * 16, 10);
  const parts: Buffer[] = [header];
  let offset = header.length;
  all.forEach((table, i) => {
    const at = 12 + i * 16;
    header.write(table.tag, at, 'latin1');
    header.writeUInt32BE(table.checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(table.data.length, at + 12);
    const padding = (4 - (table.data.length % 4)) % 4;
    parts.push(table.data, Buffer.alloc(padding));
    offset += table.data.length + padding;
  });
  return Buffer.concat(parts);
}

function tables(bytes: Uint8Array): Table[] {
  const woff = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (woff.readUInt32BE(0) !== 0x774f4646) throw new Error('Not a WOFF font');
  return Array.from({ length: woff.readUInt16BE(12) }, (_, i) => {
    const at = 44 + i * 20;
    const offset = woff.readUInt32BE(at + 4);
    const packed = woff.readUInt32BE(at + 8);
    const data = woff.subarray(offset, offset + packed);
    return {
      tag: woff.toString('latin1', at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      data: packed < woff.readUInt32BE(at + 12) ? inflateSync(data) : data,
    };
  });
}

function readFormat4(cmap: Buffer, offset: number, covered: Set<number>): void {
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
      if (glyph !== 0) covered.add(code);
    }
  }
}

function readFormat12(cmap: Buffer, offset: number, covered: Set<number>): void {
  const groups = cmap.readUInt32BE(offset + 12);
  for (let i = 0; i < groups; i += 1) {
    const at = offset + 16 + i * 12;
    const end = cmap.readUInt32BE(at + 4);
    for (let code = cmap.readUInt32BE(at); code <= end; code += 1) covered.add(code);
  }
}
