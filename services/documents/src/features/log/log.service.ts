/** Reading the log: checkpoint, tiles and proofs. */
import { leafHash } from '@karaar/proof/merkle';
import { formatKey } from '@karaar/proof/note';
import { consistencyProof, encodeBundle, inclusionProof, parseTilePath, widthAt } from '@karaar/proof/tiles';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { notFinalized } from '../agreements/agreement.errors.ts';
import type { Context } from '../../context.ts';
import { noSuchTile, notLogged, outsideTree } from './log.errors.ts';
import {
  findCommitment,
  latestCheckpoint,
  readEntries,
  readTile,
  restartNotes,
  tileReader,
} from './log.repository.ts';
import { placeOf, withCosignatures, type PlaceInLog } from './place.ts';

/** The newest checkpoint as text; the empty tree's before anything was logged. */
export async function checkpointText(ctx: Context): Promise<string> {
  const head = await latestCheckpoint(ctx.db);
  if (!head) throw notLogged();
  return withCosignatures(ctx, head);
}

/** The keys of log and witnesses, and how the log came by its name. */
export const logKeys = async (ctx: Context) => ({
  log: formatKey(ctx.log.identity.key),
  witnesses: ctx.log.witnesses.map(({ key }) => formatKey(key)),
  restarts: await restartNotes(ctx.db),
});

/** The bytes of a tile or an entry bundle by its address; 404 for what the tree does not have. */
export async function readTileFile(ctx: Context, path: string): Promise<Buffer> {
  const id = parseTilePath(path);
  const size = (await latestCheckpoint(ctx.db))?.size ?? 0;
  const level = id?.level === 'entries' ? 0 : (id?.level ?? 0);
  if (!id || id.width > widthAt(size, level, id.index)) throw noSuchTile();
  if (id.level === 'entries') {
    return Buffer.from(encodeBundle(await readEntries(ctx.db, id.index * 256, id.width)));
  }
  const tile = await readTile(ctx.db, id.level, id.index);
  if (!tile) throw noSuchTile();
  return tile.subarray(0, id.width * 32);
}

/** Throws 422 for a leaf or a tree that the log does not have. */
export async function proveInclusion(ctx: Context, index: number, size: number) {
  await requireTree(ctx, size);
  if (index >= size) throw outsideTree();
  const [entry] = await readEntries(ctx.db, index, 1);
  if (!entry) throw outsideTree();
  return { leaf: leafHash(entry), hashes: await inclusionProof(tileReader(ctx.db), index, size) };
}

/** Throws 422 for trees that the log does not have. */
export async function proveConsistency(ctx: Context, first: number, second: number): Promise<Uint8Array[]> {
  await requireTree(ctx, second);
  if (first > second) throw outsideTree();
  return consistencyProof(tileReader(ctx.db), first, second);
}

async function requireTree(ctx: Context, size: number): Promise<void> {
  const head = await latestCheckpoint(ctx.db);
  if (!head || size > head.size) throw outsideTree();
}

/** The proof for an involved user. Throws 403, 404; 409 before the document is finalized and logged. */
export async function proofForUser(ctx: Context, viewerId: string, id: string): Promise<PlaceInLog> {
  const { document } = await getInvolvedDocument(ctx, viewerId, id);
  if (document.status !== 'finalized') throw notFinalized();
  const commitment = await findCommitment(ctx.db, { documentId: id });
  const place = commitment && (await placeOf(ctx, commitment));
  if (!place) throw notLogged();
  return place;
}
