import { statementHash } from '@karaar/proof/approval/approval';
import type { StatedPlace } from '@karaar/proof/seal/check-place';
import { parseCheckpoint, parseNote } from '@karaar/proof/log/note';
import { verifySignedApproval, type SignedApproval } from '@karaar/proof/approval/signed-approval';

export type ApprovalInReceipt = { name: string; signed?: SignedApproval };

/** The site that passkeys sign for: `https:` and `karaar.example`. */
export type Site = { protocol: string; host: string };

export type FoundApproval = {
  state: 'signed' | 'unsigned' | 'broken';
  name: string;
  /** The beginning of the statement's SHA-256, as printed in the certificate. */
  statement?: string;
};

/**
 * Checks the signatures of the approvals. The log's signature of the tree is checked with the document's
 * place in it.
 */
export function checkApprovals(
  approvals: readonly ApprovalInReceipt[],
  { protocol, host }: Site,
  place: StatedPlace,
): Promise<FoundApproval[]> {
  const site = { origin: `${protocol}//${host}`, rpId: host.split(':')[0] ?? '' };
  return Promise.all(
    approvals.map(async ({ name, signed }): Promise<FoundApproval> => {
      if (!signed) return { state: 'unsigned', name };
      try {
        const tree = parseCheckpoint(parseNote(place.checkpoint).body);
        const stated = await verifySignedApproval(signed, { ...site, code: place.document_code, tree });
        const statement = statementHash(signed.statement)
          .slice(0, 16)
          .replace(/(.{4})(?=.)/g, '$1 ');
        return { state: 'signed', name: stated.person.name, statement };
      } catch (error) {
        if (error instanceof RangeError) return { state: 'broken', name };
        throw error;
      }
    }),
  );
}
