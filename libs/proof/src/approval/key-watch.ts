/**
 * How a person's device watches the log for keys that the person did not add (docs/adr/0082). It reads every entry since its last look,
 * so that no answer can leave one out: what it read has to give the root that the log has signed, and the tree has to
 * continue the one of the last look.
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

/** Where a log is read. */
export type LogSource = {
  keys: () => Promise<{ log: string; witnesses: readonly string[]; restarts: readonly string[] }>;
  /** The newest checkpoint with its cosignatures. */
  checkpoint: () => Promise<string>;
  /** An entry bundle by its path. */
  bundle: (path: string) => Promise<Uint8Array>;
  consistency: (first: number, second: number) => Promise<Uint8Array[]>;
};

/** A change of an own key, as it is in the log. */
export type OwnChange = Omit<TaggedKeyChange, 'tag'>;

/** What a device keeps between two looks. As JSON. */
export type LogMemory = {
  /** The log's key, and the witnesses of whom one has to cosign, as they were at the first look. */
  log: string;
  witnesses: readonly string[];
  /** The last tree that was verified; the root in base64. */
  size: number;
  root: string;
  /** How many entries of it were read, and their whole subtrees, the largest first, in base64. */
  read: number;
  subtrees: readonly string[];
  /** The changes of own keys among these. */
  changes: readonly OwnChange[];
};

/** Why a log is not to be believed. */
export type LogFault =
  /** Entries that this device has seen were changed or removed, or an entry is not what the tree holds. */
  | 'rewritten'
  /** The log ends before what this device has seen. */
  | 'shorter'
  /** Signed by a key that is not the log's. */
  | 'other-key'
  /** None of the witnesses that this device knows has cosigned it: others may be shown another log. */
  | 'not-witnessed';

export type Look = { memory: LogMemory; fault?: LogFault };

/** Bundles of 256 entries at one look; the next look goes on behind them. */
const MOST_BUNDLES = 200;
/** Bundles that are fetched at the same time. */
const AT_ONCE = 6;

export const isReadToItsEnd = ({ read, size }: LogMemory): boolean => read === size;

/**
 * Reads on in the log. A log with a fault leaves the memory as it was.
 * @param tag `userTag` of the person
 * @throws what the source throws, RangeError for answers that are in no form of the log
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
      // A witness that was not there is taken; one that is known is not exchanged by whoever answers.
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

/** Undefined when the entries are not those of the tree. */
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
