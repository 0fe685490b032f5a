import { leafHash } from '@karaar/proof/log/merkle';
import { documentProof } from '@karaar/proof/document-proof';
import { formatKey } from '@karaar/proof/log/note';
import { writePolicy } from '@karaar/proof/log/policy';
import {
  consistencyProof,
  encodeBundle,
  inclusionProof,
  parseTilePath,
  widthAt,
} from '@karaar/proof/log/tiles';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { notFinalized } from '../agreements/rules/agreement.errors.ts';
import type { Context } from '../../context.ts';
import { noSuchTile, notLogged, outsideTree } from './log.errors.ts';
import {
  findCommitment,
  latestCheckpoint,
  latestConfirmed,
  readEntries,
  readTile,
  restartNotes,
  tileReader,
  type CommitmentRow,
} from './log.repository.ts';
import { keysOf } from './log-identity.ts';
import { presentPlace } from './log.presenter.ts';
import { confirmedPlaceOf, placeOf, withCosignatures, type PlaceInLog } from './place.ts';

/**
 * Returns the newest checkpoint that the log's policy confirms; before the first one, the newest signed one,
 * which a reader recognises by its missing cosignatures.
 */
export async function checkpointText(ctx: Context): Promise<string> {
  const confirmed = await latestConfirmed(ctx.db, ctx.log, { origin: ctx.log.identity.key.name });
  return confirmed ? withCosignatures(ctx, confirmed) : newestCheckpointText(ctx);
}

/** Returns the newest signed checkpoint with its cosignatures; at first, that of the empty tree. */
export async function newestCheckpointText(ctx: Context): Promise<string> {
  const head = await latestCheckpoint(ctx.db);
  if (!head) throw notLogged();
  return withCosignatures(ctx, head);
}

/** Returns the log's policy (C2SP tlog-policy): its key, its witnesses' keys and the quorum. */
export const policyText = ({ log, config }: Context): string =>
  writePolicy({
    log: { key: log.identity.key, url: `${new URL(config.PUBLIC_URL).origin}/api/log` },
    witnesses: log.witnesses.map((witness) => ({ keys: keysOf(witness) })),
    quorum: log.quorum,
  });

export const logKeys = async (ctx: Context) => ({
  log: formatKey(ctx.log.identity.key),
  witnesses: ctx.log.witnesses.map(({ key }) => formatKey(key)),
  restarts: await restartNotes(ctx.db),
});

/** Returns a tile or an entry bundle by its path. Throws 404 for a path outside the tree. */
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

/** Throws 422 for a leaf or a tree outside the log. */
export async function proveInclusion(ctx: Context, index: number, size: number) {
  await requireTree(ctx, size);
  if (index >= size) throw outsideTree();
  const [entry] = await readEntries(ctx.db, index, 1);
  if (!entry) throw outsideTree();
  return { leaf: leafHash(entry), hashes: await inclusionProof(tileReader(ctx.db), index, size) };
}

/** Throws 422 for trees outside the log. */
export async function proveConsistency(ctx: Context, first: number, second: number): Promise<Uint8Array[]> {
  await requireTree(ctx, second);
  if (first > second) throw outsideTree();
  return consistencyProof(tileReader(ctx.db), first, second);
}

async function requireTree(ctx: Context, size: number): Promise<void> {
  const head = await latestCheckpoint(ctx.db);
  if (!head || size > head.size) throw outsideTree();
}

/** Returns the proof for an involved user. Throws 403, 404, or 409 before the document is logged. */
export const proofForUser = (ctx: Context, viewerId: string, id: string): Promise<PlaceInLog> =>
  placeForUser(ctx, viewerId, id, placeOf);

/**
 * Returns the proof file (C2SP tlog-proof) for an involved user, and the document's code. Throws as
 * `proofForUser`, also 409 until the log's policy confirms a tree with the document.
 */
export async function proofFileForUser(ctx: Context, viewerId: string, id: string) {
  const place = presentPlace(await placeForUser(ctx, viewerId, id, confirmedPlaceOf));
  return { text: documentProof(place), code: place.document_code };
}

async function placeForUser(
  ctx: Context,
  viewerId: string,
  id: string,
  read: (ctx: Context, commitment: CommitmentRow) => Promise<PlaceInLog | undefined>,
): Promise<PlaceInLog> {
  const { document } = await getInvolvedDocument(ctx, viewerId, id);
  return placeOfDocument(ctx, document, read);
}

/**
 * Returns the proof of a document that its reader may see.
 * @throws 409 before the document is finalized and logged
 */
export async function placeOfDocument(
  ctx: Context,
  { id, status }: { id: string; status: string },
  read: (ctx: Context, commitment: CommitmentRow) => Promise<PlaceInLog | undefined> = placeOf,
): Promise<PlaceInLog> {
  if (status !== 'finalized') throw notFinalized();
  const commitment = await findCommitment(ctx.db, { documentId: id });
  const place = commitment && (await read(ctx, commitment));
  if (!place) throw notLogged();
  return place;
}
