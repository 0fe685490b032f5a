/**
 * A log's restart: a note, signed with the log's key under its old and its new name, that states at which
 * entry the old log was cut and what its witnesses had seen. It is the first entry under the new name. The
 * second line of a checkpoint is a number, so a signature of one cannot be used for the other.
 */
import { equal, fromBase64, toBase64 } from '../bytes.ts';
import { formatKey, parseKey, parseNote, verifyNote, type NoteKey } from './note.ts';

export type Restart = {
  old: NoteKey;
  /** Number of entries that both have, and their root. */
  cut: { size: number; root: Uint8Array };
  /** Number of entries of the old log that each witness had cosigned. */
  witnessed: readonly { witness: string; size: number }[];
  next: NoteKey;
  at: string;
};

const HEAD = 'karaar.log-restart/v1';
const BODY =
  /^karaar\.log-restart\/v1\nold (\S+)\ncut (0|[1-9]\d{0,14}) (\S+)\n((?:witness \S+ (?:0|[1-9]\d{0,14})\n)*)new (\S+)\nat (\S+)\n$/;

/** Returns the text of both signatures. */
export const restartBody = ({ old, cut, witnessed, next, at }: Restart): string =>
  [
    HEAD,
    `old ${formatKey(old)}`,
    `cut ${cut.size} ${toBase64(cut.root)}`,
    ...witnessed.map(({ witness, size }) => `witness ${witness} ${size}`),
    `new ${formatKey(next)}`,
    `at ${at}`,
    '',
  ].join('\n');

/**
 * Parses a restart and verifies both signatures.
 * @throws RangeError for anything else
 */
export function parseRestart(text: string): Restart {
  const note = parseNote(text);
  const [, old = '', size = '', root = '', witnessed = '', next = '', at = ''] = BODY.exec(note.body) ?? [];
  if (old === '') throw new RangeError('not a restart of a log');
  const restart: Restart = {
    old: parseKey(old),
    cut: { size: Number(size), root: fromBase64(root) },
    witnessed: witnessed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, witness = '', count = ''] = line.split(' ');
        return { witness, size: Number(count) };
      }),
    next: parseKey(next),
    at,
  };
  const signed = verifyNote(note, restart.old) && verifyNote(note, restart.next);
  if (!signed || restart.cut.root.length !== 32) throw new RangeError('a restart without its two signatures');
  return restart;
}

const same = (one: NoteKey, other: NoteKey): boolean =>
  one.name === other.name && one.algorithm === other.algorithm && equal(one.publicKey, other.publicKey);

/**
 * Returns the restarts that lead to this key, newest first.
 * @throws RangeError for a note that is not a restart
 */
export function restartsBefore(log: NoteKey, notes: readonly string[]): Restart[] {
  const known = notes.map(parseRestart);
  const chain: Restart[] = [];
  for (let key = log; chain.length < known.length;) {
    const before = known.find(({ next }) => same(next, key));
    if (!before || chain.includes(before)) break;
    chain.push(before);
    key = before.old;
  }
  return chain;
}

/**
 * Returns a log's current key from an earlier key that the verifier kept.
 * @throws RangeError for a note that is not a restart
 */
export function keyToday(kept: NoteKey, notes: readonly string[]): NoteKey {
  const known = notes.map(parseRestart);
  let key = kept;
  for (let turn = 0; turn < known.length; turn += 1)
    key = known.find(({ old }) => same(old, key))?.next ?? key;
  return key;
}
