/** A log's key and its witnesses for tests, each witness with an Ed25519 and an ML-DSA-44 key. */
import { randomBytes } from 'node:crypto';
import { utf8 } from '../bytes.ts';
import { EMPTY_ROOT } from '../log/merkle.ts';
import { mlDsaCosigner } from '../log/ml-dsa.ts';
import {
  ALGORITHM,
  checkpointBody,
  cosignedMessage,
  encodeCosignature,
  signatureLine,
  type NoteKey,
} from '../log/note.ts';
import { signer } from './test-log.ts';

export type Cosigner = { key: NoteKey; cosign: (body: string, time: number) => string };

function ed25519Cosigner(name: string): Cosigner {
  const { key, sign } = signer(name, ALGORITHM.cosignatureV1);
  const cosign = (body: string, time: number): string =>
    signatureLine(key, encodeCosignature(time, sign(cosignedMessage(body, time))));
  return { key, cosign };
}

/** `checkpoint` returns a tree's checkpoint, signed by the log and cosigned by the given cosigners. */
export function parties(origin: string, names: readonly string[]) {
  const log = signer(origin, ALGORITHM.ed25519);
  const witnesses = names.map((name): { ed25519: Cosigner; mlDsa: Cosigner } => ({
    ed25519: ed25519Cosigner(name),
    mlDsa: mlDsaCosigner(name, randomBytes(32)),
  }));
  const checkpoint = (cosigners: readonly Cosigner[], root: Uint8Array = EMPTY_ROOT, size = 1): string => {
    const body = checkpointBody({ origin, size, root });
    const line = signatureLine(log.key, log.sign(utf8(body)));
    return `${body}\n${line}${cosigners.map((one) => one.cosign(body, 1_790_000_000)).join('')}`;
  };
  return { log, witnesses, checkpoint };
}
