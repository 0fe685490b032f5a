import { uuidv7, type Tx } from '@karaar/db';
import {
  approvalStatement,
  contentHash,
  signedStatement,
  type ApprovalFacts,
  type SignedStatement,
} from '@karaar/proof/approval/approval';
import type { Database } from '../../../db/schema.ts';
import { findParty, isGiven, type Agreement } from '../rules/agreement.ts';
import { documentChanged } from '../rules/agreement.errors.ts';
import { approvingParties, insertApproval, readContent, withdrawApprovals } from './approvals.repository.ts';

/** A verified signature, which is stored with its approval. */
export type SignedBy = {
  userId: string;
  statement: string;
  stated: SignedStatement;
  save: (tx: Tx<Database>, approvalId: string) => Promise<void>;
};

/**
 * Writes the changes of approvals, after the parties are written: ended approvals are marked as withdrawn,
 * new ones are stored with the content's hash and their statement. Throws 409 if a signed statement differs
 * from the document.
 * @param tx holds the document's row lock, so that the content cannot change
 */
export async function keepApprovals(
  tx: Tx<Database>,
  before: Agreement,
  after: Agreement,
  signed?: SignedBy,
): Promise<void> {
  const ended = before.parties.filter((was) => {
    const party = findParty(after, was.userId);
    return was.approved && (!party?.approved || isGiven(was, party));
  });
  if (ended.length > 0) {
    const ids = ended.map(({ userId }) => userId);
    await withdrawApprovals(tx, after.id, ids);
  }
  const approving = after.parties.filter((party) => isGiven(findParty(before, party.userId), party));
  if (approving.length === 0) return;
  const ids = approving.map(({ userId }) => userId);
  const content = await readContent(tx, after.id);
  for (const party of await approvingParties(tx, after.id, ids)) {
    const { user_id, char_id, name } = party;
    const by = signed?.userId === user_id ? signed : undefined;
    // The passkey signed the time as well, so that is the time of the approval.
    const approvedAt = by ? new Date(by.stated.approved_at) : party.approved_at;
    const facts: ApprovalFacts = {
      ...content,
      role: party.state === 'primary' ? 'primary' : 'party',
      person: { user_id, char_id, name },
      approved_at: approvedAt.toISOString(),
    };
    if (by && signedStatement({ ...by.stated, ...facts }) !== by.statement) throw documentChanged();
    const id = uuidv7();
    await insertApproval(tx, {
      id,
      document_id: after.id,
      user_id,
      approved_at: approvedAt,
      content_hash: contentHash(content),
      statement: by?.statement ?? approvalStatement(facts),
    });
    await by?.save(tx, id);
  }
}
