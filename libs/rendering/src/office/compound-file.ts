/** Reads streams of an OLE compound file (MS-CFB), the format of DOC files and of macros. */

export interface CompoundStream {
  size: number;
  read: () => Buffer;
  /** Returns the position in the file of a byte of the stream. */
  placeOf: (at: number) => number;
}

/** Streams by path in lower case, separated by `/`: names are case-insensitive (MS-CFB §2.6.4). */
export type CompoundFile = ReadonlyMap<string, CompoundStream>;

const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Returns true if a file begins with the signature of a compound file. */
export const isCompoundFile = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, MAGIC.length)).equals(MAGIC);

/** Sector numbers from here on are marks: the end of a chain or a free sector. */
const [MARKS, END] = [0xfffffffa, 0xfffffffe];
const [ENTRY, NAME, SMALL] = [128, 64, 64];
const [STORAGE, STREAM, ROOT] = [1, 2, 5];
/** No program writes deeper storages. */
const MAX_DEPTH = 16;
const MAX_ENTRIES = 10_000;

/** Returns the streams of a file; undefined if its directory cannot be read. */
export function readCompoundFile(bytes: Uint8Array): CompoundFile | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = file.length < 512 ? 0 : file.readUInt16LE(30);
  if (!isCompoundFile(file) || shift < 7 || shift > 16) return undefined;
  const sector = 1 << shift;
  const cutoff = file.readUInt32LE(56);
  const most = Math.ceil(file.length / sector);
  /** Reads a number of the file; past the end it returns the end mark. */
  const word = (at: number): number => (at + 4 <= file.length ? file.readUInt32LE(at) : END);
  const placeOfSector = (number: number): number => (number + 1) * sector;
  const placeIn = (sectors: readonly number[], at: number): number =>
    placeOfSector(sectors[Math.floor(at / sector)] ?? MARKS) + (at % sector);

  /** Follows a chain of sectors from `start`; the bound stops at cycles. */
  function chain(start: number, table: readonly number[], bound = most): number[] {
    const sectors: number[] = [];
    for (let at = start; at < MARKS && sectors.length < bound; at = word(placeIn(table, 4 * at)))
      sectors.push(at);
    return sectors;
  }

  const table = fatSectors(word, sector, most);
  const directory = chain(word(48), table);
  const entryAt = (index: number): number => placeIn(directory, index * ENTRY);
  const root = entryAt(0);
  if (file[root + 66] !== ROOT) return undefined;
  // Small streams share the sectors of the root's stream.
  const pool = chain(word(root + 116), table);
  const smallTable = chain(word(60), table);

  function streamAt(entry: number): CompoundStream {
    const [start, size] = [word(entry + 116), word(entry + 120)];
    const unit = size < cutoff ? SMALL : sector;
    let found: number[] | undefined;
    const places = (): number[] =>
      (found ??=
        size < cutoff
          ? chain(start, smallTable, Math.ceil(size / SMALL)).map((number) => placeIn(pool, number * SMALL))
          : chain(start, table, Math.ceil(size / sector)).map(placeOfSector));
    return {
      size,
      placeOf: (at) => (places()[Math.floor(at / unit)] ?? file.length) + (at % unit),
      read: () => {
        const pieces = places().map((place) => file.subarray(place, place + unit));
        return Buffer.concat(pieces).subarray(0, size);
      },
    };
  }

  const streams = new Map<string, CompoundStream>();
  const seen = new Set<number>();
  const left = [{ index: word(root + 76), folder: '', depth: 0 }];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { index, folder, depth } = node;
    const entry = entryAt(index);
    if (seen.has(index) || depth > MAX_DEPTH || entry + ENTRY > file.length) continue;
    if (seen.add(index).size > MAX_ENTRIES) return undefined;
    const length = Math.min(NAME, Math.max(2, file.readUInt16LE(entry + NAME))) - 2;
    const path = folder + file.toString('utf16le', entry, entry + length).toLowerCase();
    if (file[entry + 66] === STREAM) streams.set(path, streamAt(entry));
    for (const sibling of [68, 72]) left.push({ index: word(entry + sibling), folder, depth });
    if (file[entry + 66] === STORAGE)
      left.push({ index: word(entry + 76), folder: `${path}/`, depth: depth + 1 });
  }
  return streams;
}

/** Returns the sectors of the allocation table; the header lists the first 109. */
function fatSectors(word: (at: number) => number, sector: number, most: number): number[] {
  const numbers: number[] = [];
  const take = (at: number, count: number): void => {
    for (let i = 0; i < count; i += 1) if (word(at + 4 * i) < MARKS) numbers.push(word(at + 4 * i));
  };
  take(76, 109);
  let list = word(68);
  while (list < MARKS && numbers.length < most) {
    const at = (list + 1) * sector;
    take(at, sector / 4 - 1);
    list = word(at + sector - 4);
  }
  return numbers;
}
