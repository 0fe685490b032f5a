import { equal } from '@karaar/proof/bytes';
import { readKeyEntry, type TaggedKeyChange } from '@karaar/proof/approval/key-entry';
import { leafHash, treeHasher, type Subtree } from '@karaar/proof/log/merkle';
import { decodeBundle, TILE_WIDTH, widthAt } from '@karaar/proof/log/tiles';
import { Found } from './alerts.ts';
import type { LogReader } from './log-reader.ts';

export type KeyChangeAt = TaggedKeyChange & { index: number };
export type EntriesRead = { root: Uint8Array; subtrees: Subtree[]; changes: KeyChangeAt[] };

/**
 * Reads the entries from `from` on. `begun` has the subtrees before.
 * @throws Found if one differs from its tile
 */
export async function readEntries(
  reader: LogReader,
  { from, size, begun }: { from: number; size: number; begun: readonly Subtree[] },
): Promise<EntriesRead> {
  const hasher = treeHasher(begun);
  const changes: KeyChangeAt[] = [];
  const tile = reader.tiles(size);
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index += 1) {
    const width = widthAt(size, 0, index);
    const entries = decodeBundle(await reader.bundle({ index, width }));
    const hashes = await tile({ level: 0, index, width });
    if (entries.length !== width || hashes.length !== width)
      throw new Found('rewritten', `the log lost entries after ${index * TILE_WIDTH}`);
    for (const [i, entry] of entries.entries()) {
      const at = index * TILE_WIDTH + i;
      if (at < from) continue;
      const leaf = leafHash(entry);
      if (!equal(leaf, hashes[i] ?? new Uint8Array()))
        throw new Found('rewritten', `entry ${at} is not the one that the log's tree holds`);
      hasher.add(leaf);
      const change = readKeyEntry(entry);
      if (change) changes.push({ ...change, index: at });
    }
  }
  return { root: hasher.root(), subtrees: hasher.subtrees(), changes };
}
