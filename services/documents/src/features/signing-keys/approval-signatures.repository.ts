import type { Tx } from '@karaar/db';
import type { Selectable } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type SignatureRow = Selectable<Database['approval_signatures']>;

export async function insertSignature(tx: Tx<Database>, row: SignatureRow): Promise<void> {
  await tx.insertInto('approval_signatures').values(row).execute();
}

/** Returns the approvals of a document that are in force, with their passkey signatures. */
export const approvalsWithSignatures = (db: Db, documentId: string) =>
  db
    .selectFrom('approvals as a')
    .leftJoin('approval_signatures as s', 's.approval_id', 'a.id')
    .leftJoin('directory as d', 'd.user_id', 'a.user_id')
    .where('a.document_id', '=', documentId)
    .where('a.withdrawn_at', 'is', null)
    .select('d.name')
    .select(['a.user_id', 'a.approved_at', 'a.content_hash', 'a.statement'])
    .select(['s.public_key', 's.client_data', 's.authenticator_data', 's.signature'])
    .select(['s.enrolled_at', 's.enrolled_index'])
    .orderBy('a.approved_at')
    .orderBy('a.id')
    .execute();
