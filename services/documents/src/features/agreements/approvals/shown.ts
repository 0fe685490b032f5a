/** What an approver is shown, and the hashes by which an approval is bound to it. */
import { createHash } from 'node:crypto';
import { contentHash, type ApprovedContent } from '@karaar/proof/approval/approval';
import { documentChanged, partiesChanged } from '../rules/agreement.errors.ts';

/** What can be read of rows; the files in their order. */
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

/** One SHA-256 (hex) over the exact raw files of a document in their order (design §3 Parties). */
export function filesDigest(files: readonly { ordinal: number; sha256: string }[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => a.ordinal - b.ordinal)) {
    hash.update(`${file.ordinal}:${file.sha256}\n`);
  }
  return hash.digest('hex');
}

/** Hex SHA-256 of who the involved users are, whatever their order. */
export const partiesHash = (userIds: readonly string[]): string =>
  createHash('sha256').update(userIds.toSorted().join(' ')).digest('hex');

/** What an approval names: hashes of the content and of the parties that its giver was shown. */
export type Shown = { content?: string | undefined; parties?: string | undefined };

/** Throws 409 when content or parties have changed since they were shown to the approver. */
export function requireShown(
  { content, parties }: Shown,
  now: { content: ApprovedContent; parties: readonly string[] },
): void {
  if (content !== undefined && content !== contentHash(now.content)) throw documentChanged();
  if (parties !== undefined && parties !== partiesHash(now.parties)) throw partiesChanged();
}
