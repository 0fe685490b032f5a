/** Reads a log by C2SP tlog-tiles over HTTP, and limits the time, the size and the place of each answer. */
import { equal } from '../bytes.ts';
import { leafHash, treeHasher, type Subtree } from './merkle.ts';
import {
  bundlePath,
  decodeBundle,
  splitHashes,
  tilePath,
  TILE_WIDTH,
  widthAt,
  type TileReader,
} from './tiles.ts';

const TIMEOUT_MS = 20_000;
/** 256 entries of 65,535 bytes with their lengths, rounded up. */
const MOST_BYTES = 17 * 1024 * 1024;

/** The log answers 404. */
export class NotThere extends Error {
  override name = 'NotThere';
}

/** An entry differs from the tile with its hash, or is missing. */
export class Rewritten extends Error {
  override name = 'Rewritten';
}

/** @throws NotThere for 404, Error for any other failure and for more bytes than any part of a log has */
async function readUrl(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404) throw new NotThere(`${url} is not there`);
  if (!response.ok || !response.body) throw new Error(`${url} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`${url} answers more than a log has`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

export const readText = async (url: string): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readUrl(url));

/** The part of a tree from leaf `from` on; `begun` has the subtrees before. */
type Part = { size: number; from?: number; begun?: readonly Subtree[] };

export type LogReader = ReturnType<typeof httpLog>;

/** @param address prefix of `/checkpoint` and `/tile/…` */
export function httpLog(address: string) {
  const base = address.replace(/\/$/, '');
  const hashes = async (path: string) => splitHashes(await readUrl(`${base}/tile/${path}`));
  return {
    checkpoint: (name = 'checkpoint'): Promise<string> => readText(`${base}/${name}`),
    /** Reads each tile of a tree once. The reader throws RangeError for a tile of the wrong width. */
    tiles: (size: number): TileReader => {
      const known = new Map<string, Promise<Uint8Array[]>>();
      const read = async (path: string, width: number) => {
        const found = await hashes(path);
        if (found.length !== width) throw new RangeError('a tile of another width');
        return found;
      };
      return ({ level, index }) => {
        const width = widthAt(size, level, index);
        const path = tilePath({ level, index, width });
        const tile = known.get(path) ?? read(path, width);
        known.set(path, tile);
        return tile;
      };
    },
    /**
     * Reads all entries of this part and compares them with their tiles.
     * @returns the root that they give, and its subtrees
     * @throws Rewritten at the first entry that differs
     */
    async entries({ size, from = 0, begun = [] }: Part, see?: (entry: Uint8Array, index: number) => void) {
      const hasher = treeHasher(begun);
      for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index += 1) {
        const width = widthAt(size, 0, index);
        const entries = decodeBundle(await readUrl(`${base}/tile/${bundlePath({ index, width })}`));
        const tile = await hashes(tilePath({ level: 0, index, width }));
        if (entries.length !== width || tile.length !== width)
          throw new Rewritten(`the log lost entries after ${index * TILE_WIDTH}`);
        for (const [i, entry] of entries.entries()) {
          const at = index * TILE_WIDTH + i;
          if (at < from) continue;
          const leaf = leafHash(entry);
          if (!equal(leaf, tile[i] ?? new Uint8Array()))
            throw new Rewritten(`entry ${at} differs from the log's tree: the log was rewritten`);
          hasher.add(leaf);
          see?.(entry, at);
        }
      }
      return { root: hasher.root(), subtrees: hasher.subtrees() };
    },
  };
}
