/**
 * Extends the log. One transaction holds entries, tiles, places and the signed checkpoint: whatever dies in
 * between leaves the log as it was and the commitments waiting, and no checkpoint exists whose tree does not.
 */
import { inTransaction, type Tx } from '@karaar/platform/db-kit';
import { leafData } from '@karaar/proof/leaf';
import { leafHash, EMPTY_ROOT, verifyConsistency } from '@karaar/proof/merkle';
import { checkpointBody, parseCheckpoint, parseNote, signatureLine, verifyNote } from '@karaar/proof/note';
import { equal } from '@karaar/proof/bytes';
import { appendLeaves, consistencyProof, rootOf } from '@karaar/proof/tiles';
import type { Database, Db } from '../../db/schema.ts';
import { LogBroken } from './log.errors.ts';
import type { LogIdentity } from './log-identity.ts';
import {
  commitmentsWithoutPlace,
  insertCheckpoint,
  insertEntries,
  latestCheckpoint,
  lockLog,
  placeCommitment,
  saveTile,
  tileReader,
  type CheckpointRow,
  type CommitmentRow,
} from './log.repository.ts';

/** Commitments of one checkpoint. */
const BATCH = 256;

/** Size and root of a tree. */
type Head = { size: number; root: Uint8Array };

/** The entry that stands in the log for this commitment. */
export const entryOf = (row: CommitmentRow): Uint8Array =>
  leafData(row.salt, { code: row.document_code, sha256: row.sha256, sealedAt: row.sealed_at });

/**
 * Gives waiting commitments their places and signs the checkpoint over them; the first call signs the empty
 * tree. Answers how many it took, `most` at most. Throws LogBroken rather than sign what does not continue the last
 * checkpoint.
 */
export async function sequence(db: Db, log: LogIdentity, most = BATCH): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockLog(tx);
    const last = await latestCheckpoint(tx);
    const waiting = await commitmentsWithoutPlace(tx, most);
    if (last && waiting.length === 0) return 0;
    const head = last ? requireOurs(last, log) : { size: 0, root: EMPTY_ROOT };
    const entries = waiting.map(entryOf);
    await extend(tx, head, entries, log);
    for (const [i, row] of waiting.entries()) await placeCommitment(tx, row.document_id, head.size + i);
    return entries.length;
  });
}

/**
 * Puts entries behind those of `head` and signs the checkpoint over all. Throws LogBroken when the stored tree is not the
 * one of `head`. Only while `lockLog` is held.
 */
export async function extend(
  tx: Tx<Database>,
  head: Head,
  entries: readonly Uint8Array[],
  log: LogIdentity,
): Promise<void> {
  if (!equal(await rootOf(tileReader(tx), head.size), head.root)) {
    throw new LogBroken(`the stored tree of ${head.size} leaves is not the one that was signed`);
  }
  const grown = await appendLeaves(tileReader(tx), head.size, entries.map(leafHash));
  const read = tileReader(tx, grown);
  const next: Head = {
    size: head.size + entries.length,
    root: await rootOf(read, head.size + entries.length),
  };
  if (head.size > 0) {
    const proof = await consistencyProof(read, head.size, next.size);
    const claim = { size1: head.size, size2: next.size, root1: head.root, root2: next.root, proof };
    if (!verifyConsistency(claim)) throw new LogBroken('the new tree does not continue the signed one');
  }
  if (entries.length > 0) await insertEntries(tx, head.size, entries);
  for (const tile of grown) await saveTile(tx, tile);
  await insertCheckpoint(tx, { ...next, note: signed(next, log) });
}

/** The last checkpoint, read and verified as a stranger would. */
export function requireOurs(row: CheckpointRow, log: LogIdentity): Head {
  const note = parseNote(row.note);
  const checkpoint = parseCheckpoint(note.body);
  const ours = checkpoint.origin === log.key.name && verifyNote(note, log.key);
  if (!ours || checkpoint.size !== row.size || !equal(checkpoint.root, row.root)) {
    throw new LogBroken('the last checkpoint is not signed by this log: another LOG_KEY or LOG_ORIGIN?');
  }
  return checkpoint;
}

function signed(head: Head, log: LogIdentity): string {
  const body = checkpointBody({ origin: log.key.name, ...head });
  return `${body}\n${signatureLine(log.key, log.sign(Buffer.from(body)))}`;
}
