import { equal } from '@karaar/proof/bytes';
import { leafHash } from '@karaar/proof/log/merkle';
import { appendLeaves, rootOf, type TileReader } from '@karaar/proof/log/tiles';
import type { Db } from '../../db/schema.ts';
import { latestCheckpoint, readEntries, tileReader } from './log.repository.ts';

const BATCH = 4_096;

/** `size` of `signed` entries were read. `ok` if their root and the stored tree's are the signed root. */
export type LogCheck = { size: number; signed: number; root: Uint8Array; ok: boolean };

/** Rebuilds the tree from the entries to check the signed root; undefined before the first checkpoint. */
export async function checkLog(db: Db): Promise<LogCheck | undefined> {
  const last = await latestCheckpoint(db);
  if (!last) return undefined;
  const grown = new Map<string, readonly Uint8Array[]>();
  const read: TileReader = async ({ level, index }) => grown.get(`${level}/${index}`) ?? [];
  let size = 0;
  while (size < last.size) {
    const entries = await readEntries(db, size, Math.min(BATCH, last.size - size));
    if (entries.length === 0) break;
    for (const tile of await appendLeaves(read, size, entries.map(leafHash)))
      grown.set(`${tile.level}/${tile.index}`, tile.hashes);
    size += entries.length;
  }
  const root = await rootOf(read, size);
  const stored = await rootOf(tileReader(db), last.size);
  const ok = size === last.size && equal(root, last.root) && equal(stored, last.root);
  return { size, signed: last.size, root, ok };
}
