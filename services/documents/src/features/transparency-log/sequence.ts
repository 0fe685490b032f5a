/**
 * Extends the log. One transaction writes entries, tiles, places and the signed checkpoint, so that a crash
 * leaves the log unchanged and the commitments waiting.
 */
import { inTransaction, type Tx } from '@karaar/db';
import { leafData } from '@karaar/proof/log/leaf';
import { leafHash, EMPTY_ROOT, verifyConsistency } from '@karaar/proof/log/merkle';
import {
  checkpointBody,
  parseCheckpoint,
  parseNote,
  signatureLine,
  verifyNote,
} from '@karaar/proof/log/note';
import { equal } from '@karaar/proof/bytes';
import { appendLeaves, consistencyProof, rootOf } from '@karaar/proof/log/tiles';
import type { Database, Db } from '../../db/schema.ts';
import { keyEntriesWithoutPlace, keyEntryOf, placeKeyEntry } from '../signing-keys/key-entries.repository.ts';
import { DatabaseMoved, LogBroken } from './log.errors.ts';
import {
  commitmentsWithoutPlace,
  historyOf,
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
import type { LogIdentity } from '../../context.ts';

const BATCH = 256;

type SequenceOptions = {
  /** The maximum number of commitments to add. */
  most?: number | undefined;
  /** The required history of the database (`historyOf`); any if empty. */
  histories?: ReadonlySet<string>;
};

type Head = { size: number; root: Uint8Array };

export const entryOf = (row: CommitmentRow): Uint8Array =>
  leafData(row.salt, { code: row.document_code, sha256: row.sha256, sealedAt: row.sealed_at });

/**
 * Adds waiting commitments and changes of signing keys to the log and signs the checkpoint; the first call
 * signs the empty tree. Returns the number of entries. Throws LogBroken if the tree does not continue the
 * last checkpoint, DatabaseMoved in another history of the database.
 */
export async function sequence(
  db: Db,
  log: LogIdentity,
  { most = BATCH, histories = new Set() }: SequenceOptions = {},
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockLog(tx);
    const last = await latestCheckpoint(tx);
    const waiting = await commitmentsWithoutPlace(tx, most);
    const changes = await keyEntriesWithoutPlace(tx, most - waiting.length);
    if (last && waiting.length + changes.length === 0) return 0;
    if (histories.size > 0) await requireHistory(tx, histories);
    const head = last ? requireOurs(last, log) : { size: 0, root: EMPTY_ROOT };
    const entries = [...waiting.map(entryOf), ...changes.map(keyEntryOf)];
    await extend(tx, head, entries, log);
    for (const [i, row] of waiting.entries()) await placeCommitment(tx, row.document_id, head.size + i);
    const next = head.size + waiting.length;
    for (const [i, row] of changes.entries()) await placeKeyEntry(tx, row.id, next + i);
    return entries.length;
  });
}

/**
 * Appends entries to the tree of `head` and signs the new checkpoint, while the caller holds `lockLog`.
 * Throws LogBroken if the stored tree differs from `head`.
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

async function requireHistory(tx: Tx<Database>, histories: ReadonlySet<string>): Promise<void> {
  const now = await historyOf(tx);
  for (const history of histories)
    if (history !== now)
      throw new DatabaseMoved(`the database is at ${now}, and a witness agreed when it was at ${history}`);
}

/** Verifies the last checkpoint with public data. Throws LogBroken if this log did not sign it. */
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
