/**
 * The proof file of a sealed document (C2SP tlog-proof). Its extra data opens the commitment in the log:
 * code, hash, time of sealing and salt. They are trusted only because the log contains the entry that they
 * give.
 */
import { equal, fromBase64, fromHex, textOf, utf8 } from './bytes.ts';
import type { StatedPlace } from './seal/check-place.ts';
import { leafData } from './log/leaf.ts';
import { leafHash, verifyInclusion } from './log/merkle.ts';
import { verifyCosignature, type CosignatureCheck } from './log/note.ts';
import { checkCheckpoint, type Policy } from './log/policy.ts';
import { parseTlogProof, writeTlogProof } from './log/tlog-proof.ts';

type Opening = Pick<StatedPlace, 'document_code' | 'sha256' | 'sealed_at' | 'salt'>;

/**
 * Returns the text of the proof file.
 * @throws RangeError if a hash of the place is not canonical base64
 */
export function documentProof(place: StatedPlace): string {
  const { document_code, sha256, sealed_at, salt } = place;
  return writeTlogProof({
    extra: utf8(JSON.stringify({ document_code, sha256, sealed_at, salt })),
    index: place.leaf_index,
    inclusion: place.inclusion.map(fromBase64),
    checkpoint: place.checkpoint,
  });
}

export type DocumentProofFinding =
  | { ok: false; why: string }
  | {
      ok: true;
      origin: string;
      code: string;
      sealedAt: string;
      index: number;
      size: number;
      /** Names from the policy; time in seconds. */
      cosigned: readonly { name: string; time: number }[];
    };

/**
 * Checks a proof for a file against a policy's logs and quorum of witnesses.
 * @param sha256 of the file, 32 bytes
 * @param check as for `checkCheckpoint`
 */
export function checkDocumentProof(
  text: string,
  sha256: Uint8Array,
  policy: Policy,
  check: CosignatureCheck = verifyCosignature,
): DocumentProofFinding {
  try {
    return checked(text, sha256, policy, check);
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, why: 'The file is not the proof of a document.' };
    throw error;
  }
}

function checked(
  text: string,
  sha256: Uint8Array,
  policy: Policy,
  check: CosignatureCheck,
): DocumentProofFinding {
  const { extra, index, inclusion, checkpoint } = parseTlogProof(text);
  const opening = openingOf(extra);
  const { log, checkpoint: tree, cosigned, confirmed } = checkCheckpoint(checkpoint, policy, check);
  if (!log) return { ok: false, why: 'No log of the policy has signed the proof’s checkpoint.' };
  if (!equal(fromHex(opening.sha256), sha256))
    return { ok: false, why: 'The proof is that of another file.' };
  const leaf = leafHash(
    leafData(fromBase64(opening.salt), {
      code: opening.document_code,
      sha256: opening.sha256,
      sealedAt: opening.sealed_at,
    }),
  );
  if (!verifyInclusion({ index, size: tree.size, leaf, proof: inclusion, root: tree.root }))
    return { ok: false, why: 'The file is not in the log that the checkpoint describes.' };
  if (!confirmed) {
    const who = cosigned.map(({ name }) => name).join(', ') || 'nobody';
    return { ok: false, why: `The policy asks for more witnesses: ${who} has cosigned.` };
  }
  return {
    ok: true,
    origin: tree.origin,
    code: opening.document_code,
    sealedAt: opening.sealed_at,
    index,
    size: tree.size,
    cosigned,
  };
}

function openingOf(extra: Uint8Array | undefined): Opening {
  const found = jsonOf(extra ?? new Uint8Array());
  const of = (name: keyof Opening): string => {
    const value = (found as Record<string, unknown> | null)?.[name];
    if (typeof value !== 'string') throw new RangeError('extra data without a commitment opening');
    return value;
  };
  return {
    document_code: of('document_code'),
    sha256: of('sha256'),
    sealed_at: of('sealed_at'),
    salt: of('salt'),
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    throw new RangeError('extra data that is not JSON', { cause: error });
  }
}
