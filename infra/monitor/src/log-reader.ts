/** Reads a log by C2SP tlog-tiles over HTTP. */
import {
  splitHashes,
  tilePath,
  bundlePath,
  widthAt,
  type BundleId,
  type TileReader,
} from '@karaar/proof/log/tiles';

const TIMEOUT_MS = 20_000;
/** 256 entries of 65,535 bytes with their lengths, rounded up. */
const MOST_BYTES = 17 * 1024 * 1024;

/** The log answers 404 for a part that its checkpoint requires. */
export class NotThere extends Error {
  override name = 'NotThere';
}

export type LogReader = {
  checkpoint: () => Promise<string>;
  /** Reads each tile of a tree once. @throws RangeError for a tile of the wrong width */
  tiles: (size: number) => TileReader;
  bundle: (id: BundleId) => Promise<Uint8Array>;
};

/** @param url prefix of `/checkpoint` and `/tile/…` */
export function httpLog(url: string): LogReader {
  const base = url.replace(/\/$/, '');
  return {
    checkpoint: async () => textOf(await readUrl(`${base}/checkpoint`)),
    bundle: (id) => readUrl(`${base}/tile/${bundlePath(id)}`),
    tiles: (size) => {
      const known = new Map<string, Promise<Uint8Array[]>>();
      return ({ level, index }) => {
        const width = widthAt(size, level, index);
        const path = tilePath({ level, index, width });
        const tile =
          known.get(path) ?? readUrl(`${base}/tile/${path}`).then((bytes) => hashesOf(bytes, width));
        known.set(path, tile);
        return tile;
      };
    },
  };
}

function hashesOf(bytes: Uint8Array, width: number): Uint8Array[] {
  const hashes = splitHashes(bytes);
  if (hashes.length !== width) throw new RangeError('a tile of another width');
  return hashes;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

export const readText = async (url: string): Promise<string> => textOf(await readUrl(url));

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
  return new Uint8Array(Buffer.concat(chunks));
}
