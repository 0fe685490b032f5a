/**
 * Only this code sets `blockchain` to true, after it verified the inclusion, with public data only, in a tree
 * that a quorum of the witnesses has cosigned.
 */
import { inTransaction } from '@karaar/db';
import { leafHash, verifyInclusion } from '@karaar/proof/log/merkle';
import { parseCheckpoint, parseNote, verifyNote } from '@karaar/proof/log/note';
import { inclusionProof } from '@karaar/proof/log/tiles';
import { lockAgreement } from '../agreements/agreements.repository.ts';
import { recordLogged } from '../agreements/transition.ts';
import type { Context } from '../../context.ts';
import { LogBroken } from './log.errors.ts';
import {
  confirmCommitment,
  latestConfirmed,
  tileReader,
  unconfirmedCommitments,
  type CommitmentRow,
} from './log.repository.ts';
import { entryOf } from './sequence.ts';

const BATCH = 256;

/** Verifies new entries and marks their documents. Throws LogBroken for the first invalid entry. */
export async function confirmInclusions(ctx: Context): Promise<void> {
  const rows = await unconfirmedCommitments(ctx.db, BATCH);
  if (rows.length === 0) return;
  const { identity } = ctx.log;
  const head = await latestConfirmed(ctx.db, ctx.log, { origin: identity.key.name });
  if (!head) return;
  const note = parseNote(head.note);
  if (!verifyNote(note, identity.key)) throw new LogBroken('the checkpoint is not signed by this log');
  const { size, root } = parseCheckpoint(note.body);
  const read = tileReader(ctx.db);
  for (const row of rows) {
    const index = row.entry_index ?? size;
    // The rows are in the order of the entries, so the quorum has not cosigned the rest either.
    if (index >= size) return;
    const leaf = leafHash(entryOf(row));
    const proof = await inclusionProof(read, index, size);
    const included = verifyInclusion({ index, size, leaf, root, proof });
    if (!included) throw new LogBroken(`entry ${index} is not in the signed tree of ${size} leaves`);
    await markIncluded(ctx, row, index);
  }
}

async function markIncluded(ctx: Context, row: CommitmentRow, index: number): Promise<void> {
  const id = row.document_id;
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (locked && (await confirmCommitment(tx, id))) await recordLogged(ctx, tx, locked, index);
  });
  ctx.outbox.wake();
}
