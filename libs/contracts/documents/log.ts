/**
 * The transparency log's HTTP contract (design §3 Blockchain badge). Checkpoint and tiles follow C2SP
 * tlog-checkpoint and tlog-tiles below `/log`; tile paths have many parts (`/log/tile/0/x001/234`), so they
 * are served without a contract.
 */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime } from '../kit.ts';

const Base64 = Type.String({ description: 'base64' });
const Hex = Type.String({ description: 'hex' });
const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Keys in the notation of signed notes: `name+id+key`. */
export const LogKeys = Type.Object({
  log: Type.String({ description: 'signs checkpoints (Ed25519)' }),
  witnesses: Type.Array(Type.String(), { description: 'cosign them (cosignature/v1)' }),
  restarts: Type.Array(Type.String(), {
    description: 'signed notes by which the log has taken another name, the oldest first',
  }),
});

/** All data needed to verify a document's position in the log offline. */
export const LogProof = Type.Object({
  document_code: Type.String(),
  /** SHA-256 of the sealed file. */
  sha256: Hex,
  sealed_at: IsoDateTime,
  /** Opens the commitment that is in the log. */
  salt: Base64,
  leaf_index: Size,
  tree_size: Size,
  leaf_hash: Base64,
  /** RFC 6962 audit path, from the leaf upwards. */
  inclusion: Type.Array(Base64),
  /** The signed note, with the witnesses' cosignatures. */
  checkpoint: Type.String(),
  keys: LogKeys,
});
export type LogProof = Static<typeof LogProof>;

export const InclusionProof = Type.Object({
  leaf_index: Size,
  tree_size: Size,
  leaf_hash: Base64,
  hashes: Type.Array(Base64),
});
export type InclusionProof = Static<typeof InclusionProof>;

export const ConsistencyProof = Type.Object({ first: Size, second: Size, hashes: Type.Array(Base64) });
export type ConsistencyProof = Static<typeof ConsistencyProof>;

export const logRoutes = {
  logCheckpoint: defineRoute({
    method: 'GET',
    path: '/log/checkpoint',
    access: 'public',
    summary:
      "The newest checkpoint that a quorum of the log's witnesses has cosigned, as text (C2SP tlog-checkpoint)",
    response: { 200: 'binary' },
  }),
  logNewestCheckpoint: defineRoute({
    method: 'GET',
    path: '/log/checkpoint/newest',
    access: 'public',
    summary: 'The newest checkpoint that the log has signed, with the cosignatures that it has so far',
    response: { 200: 'binary' },
  }),
  logPolicy: defineRoute({
    method: 'GET',
    path: '/log/policy',
    access: 'public',
    summary:
      "The log's key, its witnesses' keys and how many of them have to cosign, as text (C2SP tlog-policy)",
    response: { 200: 'binary' },
  }),
  logKeys: defineRoute({
    method: 'GET',
    path: '/log/keys',
    access: 'public',
    summary: 'The keys by which checkpoints are signed and cosigned',
    response: { 200: LogKeys },
  }),
  logInclusion: defineRoute({
    method: 'GET',
    path: '/log/inclusion',
    access: 'public',
    summary: 'The proof that a leaf is in the tree of a size (RFC 6962)',
    query: Type.Object({ index: Size, size: Size }),
    response: { 200: InclusionProof },
  }),
  logConsistency: defineRoute({
    method: 'GET',
    path: '/log/consistency',
    access: 'public',
    summary: 'The proof that a larger tree begins with a smaller one (RFC 6962)',
    query: Type.Object({ first: Size, second: Size }),
    response: { 200: ConsistencyProof },
  }),
  logProof: defineRoute({
    method: 'GET',
    path: '/documents/:id/log-proof',
    access: 'user',
    summary: "The proof of a finalized document's place in the log, for involved users",
    params: IdParams,
    response: { 200: LogProof },
  }),
  proofFile: defineRoute({
    method: 'GET',
    path: '/documents/:id/tlog-proof',
    access: 'user',
    summary:
      "The same as a file (C2SP tlog-proof), in a tree that a quorum of the log's witnesses has cosigned",
    params: IdParams,
    response: { 200: 'binary' },
  }),
} as const;
