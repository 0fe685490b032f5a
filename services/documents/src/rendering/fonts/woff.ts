import { inflateSync } from 'node:zlib';

/**
 * The code points for which a WOFF 1.0 font has a glyph, read from its `cmap` table (formats 4 and 12).
 * Throws when the bytes are not such a font; only fonts from our own dependencies are read.
 */
export function coveredCodePoints(woff: Uint8Array): Set<number> {
  return readCmap(table(woff, 'cmap'));
}

function table(woff: Uint8Array, tag: string): DataView {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new Error('Not a WOFF font');
  const count = view.getUint16(12);
  for (let i = 0; i < count; i += 1) {
    const at = 44 + i * 20;
    const name = String.fromCharCode(...woff.subarray(at, at + 4));
    if (name !== tag) continue;
    const offset = view.getUint32(at + 4);
    const packed = view.getUint32(at + 8);
    const size = view.getUint32(at + 12);
    const bytes = woff.subarray(offset, offset + packed);
    const plain = packed < size ? inflateSync(bytes) : bytes;
    return new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  }
  throw new Error(`The font has no ${tag} table`);
}

function readCmap(cmap: DataView): Set<number> {
  const covered = new Set<number>();
  const count = cmap.getUint16(2);
  for (let i = 0; i < count; i += 1) {
    const offset = cmap.getUint32(4 + i * 8 + 4);
    const format = cmap.getUint16(offset);
    if (format === 4) readFormat4(cmap, offset, covered);
    else if (format === 12) readFormat12(cmap, offset, covered);
  }
  return covered;
}

function readFormat4(cmap: DataView, offset: number, covered: Set<number>): void {
  const doubled = cmap.getUint16(offset + 6);
  const ends = offset + 14;
  const starts = ends + doubled + 2;
  const deltas = starts + doubled;
  const ranges = deltas + doubled;
  for (let i = 0; i < doubled; i += 2) {
    const end = cmap.getUint16(ends + i);
    const start = cmap.getUint16(starts + i);
    const delta = cmap.getUint16(deltas + i);
    const range = cmap.getUint16(ranges + i);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const at = ranges + i + range + (code - start) * 2;
      const raw = range === 0 ? code : cmap.getUint16(at);
      const glyph = raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (glyph !== 0) covered.add(code);
    }
  }
}

function readFormat12(cmap: DataView, offset: number, covered: Set<number>): void {
  const groups = cmap.getUint32(offset + 12);
  for (let i = 0; i < groups; i += 1) {
    const at = offset + 16 + i * 12;
    const end = cmap.getUint32(at + 4);
    for (let code = cmap.getUint32(at); code <= end; code += 1) covered.add(code);
  }
}
