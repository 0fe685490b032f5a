/**
 * C2SP tlog-tiles: the tree in tiles of up to 256 hashes. Tile (L, N) has the hashes of the complete subtrees
 * of 256^L leaves from number 256·N on. The rest of the tree is computed from tiles.
 */
import { nodeHash, EMPTY_ROOT } from './merkle.ts';

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
const HASH_BYTES = 32;
/** tlog-tiles: levels 0 to 5 are enough for 2^48 leaves. */
const MAX_LEVEL = 5;

/** A tile's position; `width` below 256 is a partial tile of a tree of some size. */
export type TileId = { level: number; index: number; width: number };
/** Entry bundles have the positions of the tiles of level 0. */
export type BundleId = { index: number; width: number };

/** Returns the part of a tile's address after `tile/`: `0/x001/x234/067` or `0/001.p/8`. */
export const tilePath = ({ level, index, width }: TileId): string => `${level}/${placePath(index, width)}`;
/** Returns the part of a bundle's address after `tile/`: `entries/x001/x234/067` or `entries/001.p/8`. */
export const bundlePath = ({ index, width }: BundleId): string => `entries/${placePath(index, width)}`;

function placePath(index: number, width: number): string {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}

/** Parses the part of an address after `tile/`; undefined for any other form. */
export function parseTilePath(path: string): TileId | ({ level: 'entries' } & BundleId) | undefined {
  const match = /^(entries|[0-5])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!match) return undefined;
  const [, where = '', digits = '', part] = match;
  const index = Number(digits.replaceAll(/[x/]/g, ''));
  const width = part === undefined ? TILE_WIDTH : Number(part);
  if (!Number.isSafeInteger(index) || (part !== undefined && width >= TILE_WIDTH)) return undefined;
  if (where === 'entries') {
    const id = { index, width };
    return bundlePath(id) === path ? { level: 'entries', ...id } : undefined;
  }
  const id = { level: Number(where), index, width };
  return tilePath(id) === path ? id : undefined;
}

/** Returns the number of hashes of a tile in a tree of `size` leaves; 0 if the tree does not reach it. */
export function widthAt(size: number, level: number, index: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/**
 * Returns the hashes of a tile, 32 bytes each.
 * @throws RangeError for a length that is not a multiple of 32
 */
export function splitHashes(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % HASH_BYTES !== 0) throw new RangeError('not a tile');
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, i) =>
    bytes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}

export type TileReader = (id: TileId) => Promise<readonly Uint8Array[]>;

/**
 * Returns the hash of the complete subtree of 2^height leaves at position `place` (from 0); the tree must
 * contain it.
 */
async function subtree(read: TileReader, height: number, place: number): Promise<Uint8Array> {
  const level = Math.min(Math.floor(height / TILE_HEIGHT), MAX_LEVEL);
  const count = 2 ** (height - level * TILE_HEIGHT);
  const first = place * count;
  const index = Math.floor(first / TILE_WIDTH);
  const start = first % TILE_WIDTH;
  const tile = await read({ level, index, width: start + count });
  const hashes = tile.slice(start, start + count);
  if (hashes.length !== count) throw new Error(`tile ${level}/${index} is shorter than the tree`);
  return fold(hashes);
}

/** Returns the root of a complete subtree; the number of hashes is a power of two. */
function fold(hashes: readonly Uint8Array[]): Uint8Array {
  let layer = [...hashes];
  while (layer.length > 1) {
    layer = Array.from({ length: layer.length / 2 }, (_, i) =>
      nodeHash(layer[2 * i] ?? EMPTY_ROOT, layer[2 * i + 1] ?? EMPTY_ROOT),
    );
  }
  return layer[0] ?? EMPTY_ROOT;
}

/** Returns the largest power of two below n, where RFC 6962 splits n > 1 leaves. */
function splitPoint(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

async function rangeRoot(read: TileReader, begin: number, end: number): Promise<Uint8Array> {
  const size = end - begin;
  const height = Math.log2(size);
  if (Number.isInteger(height)) return subtree(read, height, begin / size);
  const middle = begin + splitPoint(size);
  return nodeHash(await rangeRoot(read, begin, middle), await rangeRoot(read, middle, end));
}

/**
 * RFC 6962 §2.1: returns the root of the first `size` leaves, 32 bytes.
 * @throws Error if a tile has fewer hashes than the tree; errors of `read`
 */
export async function rootOf(read: TileReader, size: number): Promise<Uint8Array> {
  return size === 0 ? EMPTY_ROOT : rangeRoot(read, 0, size);
}

/** RFC 6962 §2.1.1: returns the proof that leaf `index` is in the tree of `size` leaves. */
export async function inclusionProof(read: TileReader, index: number, size: number): Promise<Uint8Array[]> {
  const proof: Uint8Array[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + splitPoint(end - begin);
    if (index < middle) {
      proof.unshift(await rangeRoot(read, middle, end));
      end = middle;
    } else {
      proof.unshift(await rangeRoot(read, begin, middle));
      begin = middle;
    }
  }
  return proof;
}

/** RFC 6962 §2.1.2: returns the proof that the tree of `size2` leaves begins with that of `size1`. */
export async function consistencyProof(
  read: TileReader,
  size1: number,
  size2: number,
): Promise<Uint8Array[]> {
  const proof: Uint8Array[] = [];
  if (size1 === 0 || size1 === size2) return proof;
  let [begin, end] = [0, size2];
  // Until the first tree ends exactly at `end`.
  while (size1 !== end) {
    const middle = begin + splitPoint(end - begin);
    if (size1 <= middle) {
      proof.unshift(await rangeRoot(read, middle, end));
      end = middle;
    } else {
      proof.unshift(await rangeRoot(read, begin, middle));
      begin = middle;
    }
  }
  if (begin !== 0) proof.unshift(await rangeRoot(read, begin, end));
  return proof;
}

/** A tile that an append changes, with all its hashes. */
export type GrownTile = { level: number; index: number; hashes: readonly Uint8Array[] };

/**
 * Returns the complete tiles that change when leaves are appended to a tree of `size` leaves. Nothing is
 * written; a reader that prefers these tiles to the old ones sees the grown tree.
 */
export async function appendLeaves(
  read: TileReader,
  size: number,
  leaves: readonly Uint8Array[],
): Promise<GrownTile[]> {
  const grown: GrownTile[] = [];
  let from = size;
  let fresh = leaves;
  for (let level = 0; fresh.length > 0; level += 1) {
    const upwards: Uint8Array[] = [];
    const open = Math.floor(from / TILE_WIDTH);
    const kept = from % TILE_WIDTH;
    const known = kept === 0 ? [] : (await read({ level, index: open, width: kept })).slice(0, kept);
    if (known.length !== kept) throw new Error(`tile ${level}/${open} is shorter than the tree`);
    const hashes = [...known, ...fresh];
    for (let at = 0; at < hashes.length; at += TILE_WIDTH) {
      const tile = hashes.slice(at, at + TILE_WIDTH);
      grown.push({ level, index: open + at / TILE_WIDTH, hashes: tile });
      if (tile.length === TILE_WIDTH) upwards.push(fold(tile));
    }
    from = Math.floor(from / TILE_WIDTH);
    fresh = upwards;
  }
  return grown;
}

/**
 * Returns an entry bundle: each entry after its length in two bytes, big-endian.
 * @throws RangeError for an entry of more than 65,535 bytes
 */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(entries.reduce((sum, entry) => sum + 2 + entry.length, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > 0xffff) throw new RangeError('an entry is longer than a bundle can say');
    view.setUint16(at, entry.length);
    out.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return out;
}

/**
 * Returns the entries of a bundle (`encodeBundle`); their hashes are tile (0, N).
 * @throws RangeError for a truncated bundle
 */
export function decodeBundle(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 2 > bytes.length) throw new RangeError('a bundle that ends in the middle');
    const end = at + 2 + view.getUint16(at);
    if (end > bytes.length) throw new RangeError('a bundle that ends in the middle');
    entries.push(bytes.slice(at + 2, end));
    at = end;
  }
  return entries;
}
