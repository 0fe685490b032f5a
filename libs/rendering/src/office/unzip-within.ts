import { inflateRawSync } from 'node:zlib';
import { unzipSync, type UnzipFileInfo } from 'fflate';

export const MAX_ENTRIES = 10_000;

/**
 * Returns the wanted files of a ZIP by name, none longer than its directory states: fflate would unpack a
 * longer one for minutes.
 * @throws RangeError for a longer file, for too many entries, and for other formats
 */
export function unzipWithin(
  bytes: Uint8Array,
  wants: (entry: UnzipFileInfo) => boolean,
): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Map<string, Uint8Array>();
  let entries = 0;
  let record = directoryOf(view);
  const filter = (entry: UnzipFileInfo): boolean => {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new RangeError('more entries than a Word file has');
    if (wants(entry)) found.set(entry.name, contentOf(bytes, view.getUint32(record + 42, true), entry));
    record += 46 + [28, 30, 32].reduce((sum, at) => sum + view.getUint16(record + at, true), 0);
    return false;
  };
  try {
    unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('not a ZIP', { cause: error });
  }
  return found;
}

/** Returns the position of the directory, from the end record that fflate uses (APPNOTE §4.3.16). */
function directoryOf(view: DataView): number {
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new RangeError('not a ZIP');
  return view.getUint32(end + 16, true);
}

/** Returns the data after the local header of an entry (APPNOTE §4.3.7). */
function contentOf(
  bytes: Uint8Array,
  header: number,
  { size, originalSize, compression }: UnzipFileInfo,
): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
  const packed = bytes.subarray(start, start + size);
  if (compression === 0 && size <= originalSize) return packed;
  if (compression !== 8) throw new RangeError('unknown compression method');
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, originalSize) });
}
