/** Signed approvals with the proof that their key is in the log, so that anyone can verify them. */
import { contentHash } from '@karaar/proof/approval/approval';
import { toBase64url, toHex } from '@karaar/proof/bytes';
import { verifySignedApproval, type SignedApproval } from '@karaar/proof/approval/signed-approval';
import { inclusionProof } from '@karaar/proof/log/tiles';
import { siteOf } from '@karaar/webauthn';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/schema.ts';
import { latestCheckpoint, tileReader } from './log.repository.ts';
import { approvalsWithSignatures } from '../signing-keys/approval-signatures.repository.ts';

type Reading = { db: Db; config: Pick<Config, 'PUBLIC_URL'> };
type Row = Awaited<ReturnType<typeof approvalsWithSignatures>>[number];

const base64url = (bytes: Buffer): string => toBase64url(new Uint8Array(bytes));

async function signedOf(ctx: Reading, row: Row, size: number): Promise<SignedApproval | undefined> {
  const { public_key, client_data, authenticator_data, signature, enrolled_at, enrolled_index } = row;
  if (!public_key || !client_data || !authenticator_data || !signature) return undefined;
  if (enrolled_at === null || enrolled_index === null || enrolled_index >= size) return undefined;
  const hashes = await inclusionProof(tileReader(ctx.db), enrolled_index, size);
  return {
    statement: row.statement,
    public_key: base64url(public_key),
    assertion: {
      clientDataJSON: base64url(client_data),
      authenticatorData: base64url(authenticator_data),
      signature: base64url(signature),
    },
    enrolled: { at: enrolled_at, leaf_index: enrolled_index, hashes: hashes.map(toHex) },
  };
}

/** An approval in the receipt. Without `signed`, its evidence is the session and the photos. */
export type ReceiptApproval = { name: string; signed: SignedApproval } | { name: string; signed?: undefined };

/** Returns the approvals of a document. Signed ones come with a proof in the log's tree of this size. */
export async function receiptApprovals(
  ctx: Reading,
  documentId: string,
  size: number,
): Promise<ReceiptApproval[]> {
  const rows = await approvalsWithSignatures(ctx.db, documentId);
  return Promise.all(
    rows.map(async (row) => {
      const signed = await signedOf(ctx, row, size);
      const name = row.name ?? '';
      return signed ? { name, signed } : { name };
    }),
  );
}

/**
 * Returns the users who signed with a passkey, after verifying each signature against the stored approval.
 * @throws RangeError for a signature that does not match its approval
 */
export async function verifiedSigners(
  ctx: Reading,
  { id, document_code: code }: { id: string; document_code: string },
): Promise<Set<string>> {
  const rows = await approvalsWithSignatures(ctx.db, id);
  const tree = await latestCheckpoint(ctx.db);
  const signers = new Set<string>();
  for (const row of rows) {
    // Version 3 is the statement of a signed approval, so a lost signature is noticed.
    const isStated = row.statement.endsWith('"version":3}');
    if (!row.signature && !isStated) continue;
    const signed = tree && (await signedOf(ctx, row, tree.size));
    if (!signed) throw new RangeError('the signature is incomplete');
    const stated = await verifySignedApproval(signed, { ...siteOf(ctx.config), code, tree });
    const isSame =
      stated.person.user_id === row.user_id &&
      stated.approved_at === row.approved_at.toISOString() &&
      contentHash(stated) === row.content_hash;
    if (!isSame) throw new RangeError('the signature does not match the approval');
    signers.add(row.user_id);
  }
  return signers;
}
