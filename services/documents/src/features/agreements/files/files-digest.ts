import { createHash } from 'node:crypto';

/**
 * One SHA-256 (hex) over the exact raw files of a document in their order: what an approval binds to
 * (design §3 Parties).
 */
export function filesDigest(files: readonly { ordinal: number; sha256: string }[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => a.ordinal - b.ordinal)) {
    hash.update(`${file.ordinal}:${file.sha256}\n`);
  }
  return hash.digest('hex');
}
