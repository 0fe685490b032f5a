import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { toBase64 } from '@karaar/proof/bytes';
import type { LogTrust, StatedPlace } from '@karaar/proof/seal/check';
import { leafData } from '@karaar/proof/log/leaf';
import { leafHash } from '@karaar/proof/log/merkle';
import { ALGORITHM, checkpointBody, noteKey, signatureLine } from '@karaar/proof/log/note';

/** A log with one file, and the file's proof. `sign` signs any message with the log's key. */
export function logged(
  pdf: Uint8Array,
  sealedAt = '2026-11-21T06:00:00.000Z',
): { place: StatedPlace; keys: LogTrust; sign: (message: Uint8Array) => Uint8Array } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const log = noteKey('log.test/x', ALGORITHM.ed25519, new Uint8Array(raw));
  const salt = randomBytes(32);
  const fact = { code: '7K3M9QXA', sha256: createHash('sha256').update(pdf).digest('hex'), sealedAt };
  const root = leafHash(leafData(salt, fact));
  const body = checkpointBody({ origin: log.name, size: 1, root });
  const checkpoint = `${body}\n${signatureLine(log, sign(null, Buffer.from(body), privateKey))}`;
  return {
    place: {
      document_code: fact.code,
      sha256: fact.sha256,
      sealed_at: fact.sealedAt,
      salt: toBase64(salt),
      leaf_index: 0,
      tree_size: 1,
      inclusion: [],
      checkpoint,
    },
    keys: { log, witnesses: [] },
    sign: (message) => sign(null, message, privateKey),
  };
}
