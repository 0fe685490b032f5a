/**
 * A person's device watches the log for keys that the person did not add (docs/adr/0082). It reads every new
 * entry, so that the server cannot hide one: the entries must give the signed root, and the tree must extend
 * the one seen before.
 */
import { equal, fromBase64, toBase64 } from '../bytes.ts';
import { readKeyEntry, type TaggedKeyChange } from './key-entry.ts';
import { leafHash, subtreesOf, treeHasher, verifyConsistency } from '../log/merkle.ts';
import {
  formatKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCosignature,
  verifyNote,
  type Checkpoint,
  type Note,
} from '../log/note.ts';
import { keyToday } from '../log/restart.ts';
import { bundlePath, decodeBundle, TILE_WIDTH, widthAt } from '../log/tiles.ts';

export type LogSource = {
  keys: () => Promise<{ log: string; witnesses: readonly string[]; restarts: readonly string[] }>;
  checkpoint: () => Promise<string>;
  bundle: (path: string) => Promise<Uint8Array>;
  consistency: (first: number, second: number) => Promise<Uint8Array[]>;
};

/** A change of one of the person's keys in the log. */
export type OwnChange = Omit<TaggedKeyChange, 'tag'>;

/** The state that a device keeps between calls, as JSON. */
export type LogMemory = {
  /** The log's key and the witnesses from the first call; one of these must cosign. */
  log: string;
  witnesses: readonly string[];
  /** Size and base64 root of the last verified tree. */
  size: number;
  root: string;
  /** Number of entries read, and their complete subtrees, the largest first, in base64. */
  read: number;
  subtrees: readonly string[];
  changes: readonly OwnChange[];
};

export type LogFault =
  /** Entries that this device has seen were changed or removed, or an entry does not match the tree. */
  | 'rewritten'
  | 'shorter'
  | 'other-key'
  /** Not cosigned by any witness that this device knows, so others may see another log. */
  | 'not-witnessed';

export type Look = { memory: LogMemory; fault?: LogFault };

/** Limit of bundles of 256 entries per call; the next call continues there. */
const MOST_BUNDLES = 200;
const AT_ONCE = 6;

/** Returns true if every entry of the last verified tree was read. */
export const isReadToItsEnd = ({ read, size }: LogMemory): boolean => read === size;

/**
 * Reads new entries of the log. With a fault the memory stays unchanged.
 * @param tag `userTag` of the person
 * @throws errors of the source; RangeError for malformed answers
 */
export async function lookAtLog(
  source: LogSource,
  tag: string,
  before?: LogMemory,
  mostBundles = MOST_BUNDLES,
): Promise<Look> {
  const keys = await source.keys();
  const memory = before ?? firstMemory(keys);
  const note = parseNote(await source.checkpoint());
  const head = parseCheckpoint(note.body);
  const fault = faultOfSigners(memory, keys, note, head) ?? (await faultOfGrowth(source, memory, head));
  if (fault) return { memory, fault };
  const read = await readOn(source, tag, memory, head, mostBundles);
  if (!read) return { memory, fault: 'rewritten' };
  return {
    memory: {
      log: keys.log,
      // Witnesses are added only if none was known; known ones cannot be replaced by the server.
      witnesses: memory.witnesses.length > 0 ? memory.witnesses : [...keys.witnesses],
      size: head.size,
      root: toBase64(head.root),
      ...read,
    },
  };
}

const firstMemory = ({ log, witnesses }: { log: string; witnesses: readonly string[] }): LogMemory => ({
  log,
  witnesses: [...witnesses],
  size: 0,
  root: '',
  read: 0,
  subtrees: [],
  changes: [],
});

function faultOfSigners(
  memory: LogMemory,
  keys: Awaited<ReturnType<LogSource['keys']>>,
  note: Note,
  head: Checkpoint,
): LogFault | undefined {
  const key = keyToday(parseKey(memory.log), keys.restarts);
  const isOurs = formatKey(key) === keys.log && head.origin === key.name && verifyNote(note, key);
  if (!isOurs) return 'other-key';
  const { witnesses } = memory;
  const isCosigned = witnesses.some((witness) => verifyCosignature(note, parseKey(witness)) !== undefined);
  return witnesses.length > 0 && !isCosigned ? 'not-witnessed' : undefined;
}

async function faultOfGrowth(
  source: LogSource,
  { size, root }: LogMemory,
  head: Checkpoint,
): Promise<LogFault | undefined> {
  if (size === 0) return undefined;
  if (head.size < size) return 'shorter';
  return (await continues(source, { size, root: fromBase64(root) }, head)) ? undefined : 'rewritten';
}

type Tree = { size: number; root: Uint8Array };

async function continues(source: LogSource, first: Tree, second: Tree): Promise<boolean> {
  if (first.size === second.size) return equal(first.root, second.root);
  const proof = await source.consistency(first.size, second.size);
  return verifyConsistency({
    size1: first.size,
    root1: first.root,
    size2: second.size,
    root2: second.root,
    proof,
  });
}

/** Returns undefined if the entries do not match the tree. */
async function readOn(
  source: LogSource,
  tag: string,
  memory: LogMemory,
  head: Tree,
  mostBundles: number,
): Promise<Pick<LogMemory, 'read' | 'subtrees' | 'changes'> | undefined> {
  const hasher = treeHasher(subtreesOf(memory.read, memory.subtrees));
  const changes = [...memory.changes];
  let read = memory.read;
  for await (const { index, width, entries } of bundles(source, memory.read, head.size, mostBundles)) {
    if (entries.length !== width) return undefined;
    for (const entry of entries.slice(read - index * TILE_WIDTH)) {
      hasher.add(leafHash(entry));
      const change = readKeyEntry(entry);
      if (change?.tag === tag)
        changes.push({ action: change.action, keySha256: change.keySha256, at: change.at });
    }
    read = index * TILE_WIDTH + width;
  }
  const isOfTree = read === 0 || (await continues(source, { size: read, root: hasher.root() }, head));
  if (!isOfTree) return undefined;
  return { read, subtrees: hasher.subtrees().map(({ hash }) => toBase64(hash)), changes };
}

type Bundle = { index: number; width: number; entries: Uint8Array[] };

async function* bundles(source: LogSource, from: number, size: number, most: number): AsyncGenerator<Bundle> {
  const first = Math.floor(from / TILE_WIDTH);
  const end = Math.min(Math.ceil(size / TILE_WIDTH), first + most);
  if (from === size) return;
  for (let at = first; at < end; at += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, end - at) }, (_, i) => {
      const index = at + i;
      return { index, width: widthAt(size, 0, index) };
    });
    yield* await Promise.all(
      places.map(async (place) => ({
        ...place,
        entries: decodeBundle(await source.bundle(bundlePath(place))),
      })),
    );
  }
}
