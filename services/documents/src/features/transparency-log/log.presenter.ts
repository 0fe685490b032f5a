import type { LogProof } from '@karaar/contracts/documents/log';
import { toBase64 } from '@karaar/proof/bytes';
import type { PlaceInLog } from './place.ts';

export const presentProof = (place: PlaceInLog, keys: LogProof['keys']): LogProof => ({
  ...presentPlace(place),
  keys,
});

export function presentPlace(place: PlaceInLog): Omit<LogProof, 'keys'> {
  const { commitment } = place;
  return {
    document_code: commitment.document_code,
    sha256: commitment.sha256,
    sealed_at: commitment.sealed_at,
    salt: toBase64(commitment.salt),
    leaf_index: place.index,
    tree_size: place.size,
    leaf_hash: toBase64(place.leaf),
    inclusion: place.inclusion.map(toBase64),
    checkpoint: place.note,
  };
}
