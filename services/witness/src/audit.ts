/**
 * Reads the whole log as the public sees it, hashes every entry again, and compares the root with the
 * cosigned one. A consistency proof alone would not reveal a rewritten entry below unchanged hashes.
 */
import { equal, fromBase64 } from '@karaar/proof/bytes';
import { httpLog, NotThere, Rewritten, type LogReader } from '@karaar/proof/log/log-reader';
import { parseCheckpoint, parseNote, verifyNote, type NoteKey } from '@karaar/proof/log/note';
import type { Cosigned } from './state.ts';

/** Returns a description of the fault; undefined if the log is correct. Throws if the log cannot be read. */
export async function auditLog(options: {
  url: string;
  logKey: NoteKey;
  cosigned: () => Cosigned | null;
}): Promise<string | undefined> {
  const log = httpLog(options.url);
  const cosigned = options.cosigned();
  const head = await newestCheckpoint(log, options.logKey);
  if (head === undefined) return 'the checkpoint that is served is not signed by the log';
  if (cosigned === null) return undefined;
  const { size } = cosigned;
  if (head.size < size) return `the log went back from ${size} to ${head.size} leaves`;
  try {
    const { root } = await log.entries({ size });
    if (equal(root, fromBase64(cosigned.root))) return undefined;
  } catch (error) {
    if (error instanceof Rewritten) return error.message;
    throw error;
  }
  return `the entries no longer give the root that was cosigned at ${size} leaves`;
}

async function newestCheckpoint(log: LogReader, logKey: NoteKey) {
  // `/checkpoint` is the last checkpoint with a quorum; the newest one may still wait for this witness.
  const text = await log.checkpoint('checkpoint/newest').catch((error: unknown) => {
    if (error instanceof NotThere) return log.checkpoint();
    throw error;
  });
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.body);
  return verifyNote(note, logKey) && checkpoint.origin === logKey.name ? checkpoint : undefined;
}
