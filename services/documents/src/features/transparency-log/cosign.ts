/** Asks witnesses to cosign the newest checkpoint, by the C2SP tlog-witness protocol (`add-checkpoint`). */
import { toBase64 } from '@karaar/proof/bytes';
import { verifyAnyCosignature } from '@karaar/proof/log/ml-dsa';
import { parseNote, signatureLine, type NoteKey } from '@karaar/proof/log/note';
import { consistencyProof } from '@karaar/proof/log/tiles';
import type { Db } from '../../db/schema.ts';
import { LogBroken } from './log.errors.ts';
import { keysOf } from './log-identity.ts';
import {
  cosignedSize,
  latestCheckpoint,
  saveCosignature,
  tileReader,
  type CheckpointRow,
} from './log.repository.ts';
import type { Witness } from '../../context.ts';

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 16_384;
/** Other processes of this log can be first, each once between two reads of the log. */
const MOST_TURNS = 10;

/**
 * Brings the witness up to the newest checkpoint. Throws LogBroken if the witness has seen a log that ours
 * does not continue, Error if it does not answer.
 * @returns false if there was nothing to cosign
 */
export async function cosign(db: Db, witness: Witness): Promise<boolean> {
  const head = await latestCheckpoint(db);
  if (!head || head.size === 0) return false;
  const known = await cosignedSize(db, witness.key.name);
  if (known === head.size) return false;
  await bringUp(db, witness, head, known);
  return true;
}

/**
 * Asks the witness about the newest checkpoint even if the database has its cosignature: after a recovery to
 * an earlier time, only the witness knows that the log was longer. Throws as `cosign`.
 * @returns false before the first checkpoint
 */
export async function lookAtWitness(db: Db, witness: Witness): Promise<boolean> {
  const head = await latestCheckpoint(db);
  if (!head) return false;
  await bringUp(db, witness, head, await cosignedSize(db, witness.key.name));
  return true;
}

async function bringUp(db: Db, witness: Witness, first: CheckpointRow, cosigned: number): Promise<void> {
  let [head, known] = [first, cosigned];
  let answer = await ask(db, witness, head, known);
  for (let turn = 1; answer.status === 409; turn += 1) {
    // The witness knows another size than our database: an answer was lost, or another process of this log was first.
    const old = Number(answer.text);
    if (!Number.isSafeInteger(old) || old === known) throw rewritten(witness, known);
    if (turn > MOST_TURNS) throw new Error(`other processes kept asking the witness ${witness.key.name}`);
    // The log may have grown since it was read, and the witness may already know that.
    if (old > head.size) head = (await latestCheckpoint(db)) ?? head;
    if (old > head.size) {
      throw new LogBroken(
        `the witness ${witness.key.name} has cosigned ${old} entries, and this log has ${head.size}`,
        { witness: witness.key.name, size: old },
      );
    }
    known = old;
    answer = await ask(db, witness, head, known);
  }
  if (answer.status === 422) throw rewritten(witness, known);
  if (answer.status !== 200) throw new Error(`the witness ${witness.key.name} answered ${answer.status}`);
  await saveCosignature(db, {
    size: head.size,
    witness: witness.key.name,
    lines: keysOf(witness)
      .map((key) => verifiedLine(head, key, answer.text))
      .join(''),
  });
}

const rewritten = ({ key }: Witness, size: number): LogBroken =>
  new LogBroken(`the witness ${key.name} refuses the log: it was rewritten`, { witness: key.name, size });

async function ask(db: Db, witness: Witness, head: CheckpointRow, old: number) {
  const proof = await consistencyProof(tileReader(db), old, head.size);
  const body = `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${head.note}`;
  const response = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: (await response.text()).slice(0, MAX_ANSWER_BYTES) };
}

/** Returns the key's line in a witness's answer, after verifying that it signs this checkpoint. */
function verifiedLine(head: CheckpointRow, key: NoteKey, answer: string): string {
  const note = parseNote(head.note + answer);
  for (const { bytes } of note.signatures.filter(({ name }) => name === key.name)) {
    const line = signatureLine(key, bytes);
    if (verifyAnyCosignature(parseNote(head.note + line), key) !== undefined) return line;
  }
  throw new Error(`the witness ${key.name} returned an invalid cosignature`);
}
