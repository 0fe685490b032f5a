/** Where a document stands in the log, proven. */
import { leafHash } from '@karaar/proof/merkle';
import { inclusionProof } from '@karaar/proof/tiles';
import type { Context } from '../../context.ts';
import {
  cosignatureLines,
  latestCheckpoint,
  latestCosigned,
  tileReader,
  type CheckpointRow,
  type CommitmentRow,
} from './log.repository.ts';
import { entryOf } from './sequence.ts';

/** A document's place in the log with everything that verifies it. */
export type PlaceInLog = {
  commitment: CommitmentRow;
  index: number;
  size: number;
  leaf: Uint8Array;
  inclusion: Uint8Array[];
  /** The signed note with its cosignatures. */
  note: string;
};

/** Proven in the newest cosigned tree that has it, else in the newest; undefined until it has a place. */
export async function placeOf(ctx: Context, commitment: CommitmentRow): Promise<PlaceInLog | undefined> {
  const index = commitment.entry_index;
  if (index === null) return undefined;
  const head = (await latestCosigned(ctx.db, index)) ?? (await latestCheckpoint(ctx.db));
  if (!head || head.size <= index) return undefined;
  return {
    commitment,
    index,
    size: head.size,
    leaf: leafHash(entryOf(commitment)),
    inclusion: await inclusionProof(tileReader(ctx.db), index, head.size),
    note: await withCosignatures(ctx, head),
  };
}

/** A checkpoint's note with the cosignatures below it. */
export async function withCosignatures(ctx: Context, row: CheckpointRow): Promise<string> {
  return row.note + (await cosignatureLines(ctx.db, row.size)).join('');
}
