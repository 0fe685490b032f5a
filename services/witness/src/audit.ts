/**
 * Reads the whole log as the public sees it, hashes every entry again, and compares the root with the
 * cosigned one. A consistency proof alone would not reveal a rewritten entry below unchanged hashes.
 */
import { equal, fromBase64 } from '@karaar/proof/bytes';
import { treeHasher } from '@karaar/proof/log/merkle';
import { parseCheckpoint, parseNote, verifyNote, type NoteKey } from '@karaar/proof/log/note';
import {
  bundleHashes,
  bundlePath,
  splitHashes,
  tilePath,
  TILE_WIDTH,
  widthAt,
} from '@karaar/proof/log/tiles';
import type { Cosigned } from './state.ts';

const TIMEOUT_MS = 10_000;

/** Returns a description of the fault; undefined if the log is correct. Throws if the log cannot be read. */
export async function auditLog(options: {
  url: string;
  logKey: NoteKey;
  cosigned: () => Cosigned | null;
}): Promise<string | undefined> {
  const { url, logKey } = options;
  const cosigned = options.cosigned();
  const head = await newestCheckpoint(url, logKey);
  if (head === undefined) return 'the checkpoint that is served is not signed by the log';
  if (cosigned === null) return undefined;
  if (head.size < cosigned.size) {
    return `the log went back from ${cosigned.size} to ${head.size} leaves`;
  }
  const hasher = treeHasher();
  for (let index = 0; index * TILE_WIDTH < cosigned.size; index += 1) {
    const width = widthAt(cosigned.size, 0, index);
    const entries = bundleHashes(await read(url, `tile/${bundlePath({ index, width })}`));
    const tile = splitHashes(await read(url, `tile/${tilePath({ level: 0, index, width })}`));
    if (entries.length !== width || tile.length !== width)
      return `the log lost entries after ${index * TILE_WIDTH}`;
    for (const [i, leaf] of entries.entries()) {
      if (!equal(leaf, tile[i] ?? leaf.slice(1))) {
        return `entry ${index * TILE_WIDTH + i} is not the one that the tree holds: it was rewritten`;
      }
      hasher.add(leaf);
    }
  }
  if (!equal(hasher.root(), fromBase64(cosigned.root))) {
    return `the entries no longer give the root that was cosigned at ${cosigned.size} leaves`;
  }
  return undefined;
}

async function newestCheckpoint(url: string, logKey: NoteKey) {
  // `/checkpoint` is the last checkpoint with a quorum; the newest one may still wait for this witness.
  const bytes = (await readIfThere(url, 'checkpoint/newest')) ?? (await read(url, 'checkpoint'));
  const note = parseNote(Buffer.from(bytes).toString('utf8'));
  const checkpoint = parseCheckpoint(note.body);
  return verifyNote(note, logKey) && checkpoint.origin === logKey.name ? checkpoint : undefined;
}

async function read(url: string, path: string): Promise<Uint8Array> {
  const bytes = await readIfThere(url, path);
  if (!bytes) throw new Error(`the log answers 404 for ${path}`);
  return bytes;
}

async function readIfThere(url: string, path: string): Promise<Uint8Array | undefined> {
  const response = await fetch(`${url}/${path}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the log answers ${response.status} for ${path}`);
  return new Uint8Array(await response.arrayBuffer());
}
