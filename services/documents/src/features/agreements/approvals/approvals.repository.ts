/** Approvals: every one that was given, with what was shown; at most one of a party is in force. */
import type { Tx } from '@karaar/platform/db-kit';
import type { ApprovedContent } from '@karaar/proof/approval/approval';
import { sql, type Selectable } from 'kysely';
import type { ApprovalsTable, Database, Db } from '../../../db/schema.ts';
import { contentOf } from './shown.ts';

export type ApprovalRow = Selectable<ApprovalsTable>;

/** What can be read of a document right now; in a transaction that holds its row lock it cannot change. */
export async function readContent(db: Db, documentId: string): Promise<ApprovedContent> {
  const document = await db
    .selectFrom('documents')
    .select(['id', 'document_code', 'content_version'])
    .select(['name', 'location', 'start_date', 'end_date', 'description', 'page_details'])
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow();
  const files = await db
    .selectFrom('raw_files')
    .select(['name', 'sha256', 'size', 'preview_sha256'])
    .where('document_id', '=', documentId)
    .orderBy('ordinal')
    .execute();
  return contentOf(document, files);
}

export type Approving = {
  user_id: string;
  state: string;
  approved_at: Date;
  name: string;
  char_id: string;
};

/** Parties whose approval was just written, as their statements name them. */
export async function approvingParties(
  tx: Tx<Database>,
  documentId: string,
  userIds: readonly string[],
): Promise<Approving[]> {
  const { rows } = await sql<Approving>`
    SELECT p.user_id, p.state, p.approved_at, coalesce(d.name, '') AS name, coalesce(d.char_id, '') AS char_id
    FROM parties p LEFT JOIN directory d USING (user_id)
    WHERE p.document_id = ${documentId} AND p.user_id = ANY(${[...userIds]}::uuid[])`.execute(tx);
  return rows;
}

export async function insertApproval(
  tx: Tx<Database>,
  approval: Omit<ApprovalRow, 'withdrawn_at'>,
): Promise<void> {
  await tx.insertInto('approvals').values(approval).execute();
}

/** Ends approvals that are in force; they stay on record. */
export async function withdrawApprovals(
  tx: Tx<Database>,
  documentId: string,
  userIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ withdrawn_at: sql<Date>`now()` })
    .where('document_id', '=', documentId)
    .where('user_id', 'in', userIds)
    .where('withdrawn_at', 'is', null)
    .execute();
}

/** All approvals of a document in the order in which they were given, also those that were withdrawn. */
export async function approvalsOf(db: Db, documentId: string): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('approved_at')
    .orderBy('id')
    .execute();
}
