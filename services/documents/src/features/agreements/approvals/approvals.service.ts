/** Keeps a row per approval, in the transaction of the act by which it is given or ends. */
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
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

/** A signature that holds, to be stored with the approval that it stands for. */
export type SignedBy = {
  userId: string;
  statement: string;
  stated: SignedStatement;
  save: (tx: Tx<Database>, approvalId: string) => Promise<void>;
};

/**
 * Writes what a step did to approvals, once its parties are written: those that ended are withdrawn; those that were
 * given are kept with the hash of what the server would have shown and with the statement that says all of it.
 * Throws 409 for a signature of what the document does not say any more.
 * @param tx holds the document's row lock: what is shown cannot change meanwhile
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
  const given = after.parties.filter((party) => isGiven(findParty(before, party.userId), party));
  if (given.length === 0) return;
  const ids = given.map(({ userId }) => userId);
  const content = await readContent(tx, after.id);
  for (const party of await approvingParties(tx, after.id, ids)) {
    const { user_id, char_id, name } = party;
    const by = signed?.userId === user_id ? signed : undefined;
    // A key has signed the time as well: then that one is when it was approved.
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
