/** Stores every approval with the content that was shown; at most one approval per party is in force. */
import type { Tx } from '@karaar/db';
import type { ApprovedContent } from '@karaar/proof/approval/approval';
import { sql, type Selectable } from 'kysely';
import type { ApprovalsTable, Database, Db } from '../../../db/schema.ts';
import { contentOf } from './shown.ts';

export type ApprovalRow = Selectable<ApprovalsTable>;

/** Reads the current content of a document. It cannot change in a transaction that holds the row lock. */
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

/** Reads the parties whose approvals were just written, with the details for their statements. */
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

/** Ends approvals that are in force; the rows stay. */
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

/** Returns all approvals of a document, also withdrawn ones, oldest first. */
export async function approvalsOf(db: Db, documentId: string): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('approved_at')
    .orderBy('id')
    .execute();
}
