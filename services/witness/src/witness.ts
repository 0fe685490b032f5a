/**
 * The witness of one log. It cosigns a checkpoint only if the checkpoint continues the last cosigned one
 * (C2SP tlog-witness), and not while an audit of the log's entries fails.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { equal, fromBase64, toBase64 } from '@karaar/proof/bytes';
import { verifyConsistency } from '@karaar/proof/log/merkle';
import { mlDsaCosigner, type MlDsaCosigner } from '@karaar/proof/log/ml-dsa';
import {
  ALGORITHM,
  cosignedMessage,
  encodeCosignature,
  noteKey,
  parseCheckpoint,
  parseNote,
  signatureLine,
  verifyNote,
  type Checkpoint,
  type Note,
  type NoteKey,
} from '@karaar/proof/log/note';
import type { StateFile } from './state.ts';

/** A response of tlog-witness; `text` is the body. */
export type Answer = { status: 200 | 400 | 403 | 404 | 409 | 422 | 503; text: string };

export type Witness = {
  key: NoteKey;
  /** The ML-DSA-44 key, if the witness has one. */
  mlDsaKey: NoteKey | undefined;
  addCheckpoint: (body: string) => Promise<Answer>;
  /** Stores the result of an audit: a text stops cosigning, undefined allows it again. */
  setFault: (fault: string | undefined) => Promise<void>;
  fault: () => string | undefined;
};

const HASH_LINE = /^[A-Za-z0-9+/]{43}=$/;
const MAX_PROOF = 63;

/**
 * Creates a witness.
 *
 * @param options `secret` is an Ed25519 key (PKCS#8 in base64). With `mlDsaSeed` (32 bytes in base64), every
 * response has two signatures.
 */
export function createWitness(options: {
  name: string;
  secret: string;
  mlDsaSeed?: string | undefined;
  logKey: NoteKey;
  state: StateFile;
  now?: () => number;
}): Witness {
  const { logKey, state, now = Date.now } = options;
  const secret = createPrivateKey({
    key: Buffer.from(options.secret, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  const key = noteKey(options.name, ALGORITHM.cosignatureV1, new Uint8Array(der.subarray(-32)));
  const mlDsa: MlDsaCosigner | undefined =
    options.mlDsaSeed === undefined ? undefined : mlDsaCosigner(options.name, fromBase64(options.mlDsaSeed));
  let fault: string | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function add(body: string): Promise<Answer> {
    const request = parseRequest(body);
    if (!request) return { status: 400, text: 'not an add-checkpoint request\n' };
    const { old, proof, note, checkpoint } = request;
    if (checkpoint.origin !== logKey.name) return { status: 404, text: 'not a log of this witness\n' };
    if (!verifyNote(note, logKey)) return { status: 403, text: 'not signed by the log\n' };
    if (old > checkpoint.size) return { status: 400, text: 'the old size is larger than the new one\n' };
    const last = state.read().cosigned ?? { size: 0, root: '' };
    if (old !== last.size) return { status: 409, text: `${last.size}\n` };
    if (!continues(last, checkpoint, proof)) {
      if (old < checkpoint.size) return { status: 422, text: 'the proof does not hold\n' };
      // The log signed two trees of the same size: a fork.
      await state.report(`the log has signed two trees of ${old} leaves`);
      return { status: 409, text: `${last.size}\n` };
    }
    if (fault !== undefined) return { status: 503, text: 'the last audit of the log failed\n' };
    const lines = cosign(note.body);
    // The record must be durable before the signature is sent.
    await state.remember({
      size: checkpoint.size,
      root: toBase64(checkpoint.root),
      note: `${note.body}\n${lineOf(note, logKey)}${lines}`,
    });
    return { status: 200, text: lines };
  }

  function cosign(body: string): string {
    const time = Math.floor(now() / 1000);
    const signature = sign(null, cosignedMessage(body, time), secret);
    const line = signatureLine(key, encodeCosignature(time, signature));
    return mlDsa ? line + mlDsa.cosign(body, time) : line;
  }

  return {
    key,
    mlDsaKey: mlDsa?.key,
    // One request at a time: two responses must not continue the same checkpoint.
    addCheckpoint: (body) => {
      const answer = turn.then(() => add(body));
      turn = answer.catch(() => undefined);
      return answer;
    },
    fault: () => fault,
    setFault: async (found) => {
      if (found !== undefined && found !== fault) await state.report(found);
      fault = found;
    },
  };
}

/** Returns the line of this key's signature in a note. */
function lineOf(note: Note, key: NoteKey): string {
  const own = note.signatures.find(({ name, id }) => name === key.name && equal(id, key.id));
  return own ? signatureLine(key, own.bytes) : '';
}

function continues(
  last: { size: number; root: string },
  next: Checkpoint,
  proof: readonly Uint8Array[],
): boolean {
  if (last.size === 0) return proof.length === 0;
  return verifyConsistency({
    size1: last.size,
    size2: next.size,
    root1: fromBase64(last.root),
    root2: next.root,
    proof,
  });
}

function parseRequest(
  body: string,
): { old: number; proof: Uint8Array[]; note: Note; checkpoint: Checkpoint } | undefined {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(0, end)).split('\n');
  const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  if (old === undefined || lines.length > MAX_PROOF || !lines.every((line) => HASH_LINE.test(line))) {
    return undefined;
  }
  try {
    const note = parseNote(body.slice(end + 2));
    const checkpoint = parseCheckpoint(note.body);
    return { old: Number(old), proof: lines.map(fromBase64), note, checkpoint };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
