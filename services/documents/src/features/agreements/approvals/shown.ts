import { createHash } from 'node:crypto';
import { contentHash, type ApprovedContent } from '@karaar/proof/approval/approval';
import { documentChanged, partiesChanged } from '../rules/agreement.errors.ts';

/** Builds the approved content from rows; `files` are in order. */
export const contentOf = (
  document: ApprovedContent['terms'] & { id: string; document_code: string; content_version: number },
  files: readonly { name: string; sha256: string; size: number; preview_sha256: string }[],
): ApprovedContent => ({
  document: { id: document.id, code: document.document_code, version: document.content_version },
  files: files.map(({ name, sha256, size, preview_sha256 }) => ({
    name,
    sha256,
    bytes: size,
    pages_sha256: preview_sha256,
  })),
  terms: document,
});

/** Returns one hex SHA-256 over the raw files of a document in their order (design §3 Parties). */
export function filesDigest(files: readonly { ordinal: number; sha256: string }[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => a.ordinal - b.ordinal)) {
    hash.update(`${file.ordinal}:${file.sha256}\n`);
  }
  return hash.digest('hex');
}

/** Returns the hex SHA-256 of the involved users, independent of their order. */
export const partiesHash = (userIds: readonly string[]): string =>
  createHash('sha256').update(userIds.toSorted().join(' ')).digest('hex');

/** Hashes of the content and the parties that the approver was shown. */
export type Shown = { content?: string | undefined; parties?: string | undefined };

/** Throws 409 if the content or the parties changed after they were shown to the approver. */
export function requireShown(
  { content, parties }: Shown,
  now: { content: ApprovedContent; parties: readonly string[] },
): void {
  if (content !== undefined && content !== contentHash(now.content)) throw documentChanged();
  if (parties !== undefined && parties !== partiesHash(now.parties)) throw partiesChanged();
}
