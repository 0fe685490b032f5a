import { leafHash } from '@karaar/proof/log/merkle';
import { inclusionProof } from '@karaar/proof/log/tiles';
import type { Context } from '../../context.ts';
import {
  cosignatureLines,
  latestCheckpoint,
  latestConfirmed,
  tileReader,
  type CheckpointRow,
  type CommitmentRow,
  type Quorum,
} from './log.repository.ts';
import { entryOf } from './sequence.ts';

/** A document's place in the log, with all data that proves it. */
export type PlaceInLog = {
  commitment: CommitmentRow;
  index: number;
  size: number;
  leaf: Uint8Array;
  inclusion: Uint8Array[];
  note: string;
};

type Reading = Pick<Context, 'db'> & { log: Quorum };

/**
 * Returns the proof in the newest confirmed tree with the document, or else in the newest tree; undefined
 * until the document has a place.
 */
export async function placeOf(ctx: Reading, commitment: CommitmentRow): Promise<PlaceInLog | undefined> {
  const index = commitment.entry_index;
  if (index === null) return undefined;
  const head = (await latestConfirmed(ctx.db, ctx.log, { above: index })) ?? (await latestCheckpoint(ctx.db));
  return head && head.size > index ? placeIn(ctx, commitment, index, head) : undefined;
}

/** Returns the proof in the newest tree that the policy confirms; undefined until it has the document. */
export async function confirmedPlaceOf(
  ctx: Pick<Context, 'db' | 'log'>,
  commitment: CommitmentRow,
): Promise<PlaceInLog | undefined> {
  const index = commitment.entry_index;
  if (index === null) return undefined;
  const origin = ctx.log.identity.key.name;
  const head = await latestConfirmed(ctx.db, ctx.log, { origin, above: index });
  return head && placeIn(ctx, commitment, index, head);
}

async function placeIn(
  ctx: Pick<Context, 'db'>,
  commitment: CommitmentRow,
  index: number,
  head: CheckpointRow,
): Promise<PlaceInLog> {
  return {
    commitment,
    index,
    size: head.size,
    leaf: leafHash(entryOf(commitment)),
    inclusion: await inclusionProof(tileReader(ctx.db), index, head.size),
    note: await withCosignatures(ctx, head),
  };
}

export async function withCosignatures(ctx: Pick<Context, 'db'>, row: CheckpointRow): Promise<string> {
  return row.note + (await cosignatureLines(ctx.db, row.size)).join('');
}
