import type { BiometricKind } from '@karaar/contracts/documents/http';
import { sql, type Selectable } from 'kysely';
import type { Db, LogCommitmentsTable } from '../../db/schema.ts';
import type { ApprovalRow } from '../agreements/approvals/approvals.repository.ts';
import type { DocumentRecord, EventRow } from '../agreements/agreement-records.repository.ts';

export type PartyContact = {
  user_id: string;
  email: string | null;
  phone_no: string | null;
  images: BiometricKind[];
};

/** Returns the contacts of each party and the kinds of stored images. */
export async function partyContacts(db: Db, documentId: string): Promise<PartyContact[]> {
  const { rows } = await sql<PartyContact>`
    SELECT p.user_id, d.email, d.phone_no,
      CASE WHEN v.user_id IS NULL THEN '{}'::text[]
        ELSE ARRAY['profile_pic', 'eye', 'sign'] || CASE WHEN v.thumb IS NULL THEN '{}'::text[] ELSE ARRAY['thumb'] END
      END AS images
    FROM parties p
    LEFT JOIN directory d USING (user_id)
    LEFT JOIN verifications v USING (document_id, user_id)
    WHERE p.document_id = ${documentId}`.execute(db);
  return rows;
}

/** Returns the path of the stored image; undefined if the party has no image of this kind. */
export async function findImage(
  db: Db,
  documentId: string,
  userId: string,
  kind: BiometricKind,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('verifications')
    .select(['profile_pic', 'eye', 'sign', 'thumb'])
    .where('document_id', '=', documentId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.[kind] ?? undefined;
}

export type LogPlace = Pick<
  Selectable<LogCommitmentsTable>,
  'sha256' | 'sealed_at' | 'entry_index' | 'confirmed_at'
> & { tree_size: number | null; leaf: Buffer | null };

/** Returns a document's place in the transparency log, relative to the newest checkpoint. */
export async function findLogPlace(db: Db, documentId: string): Promise<LogPlace | undefined> {
  const { rows } = await sql<LogPlace>`
    SELECT c.sha256, c.sealed_at, c.entry_index, c.confirmed_at, e.data AS leaf,
      (SELECT max(size) FROM log_checkpoints) AS tree_size
    FROM log_commitments c LEFT JOIN log_entries e ON e.index = c.entry_index
    WHERE c.document_id = ${documentId}`.execute(db);
  return rows[0];
}

export type AdminRecord = {
  record: DocumentRecord;
  contacts: PartyContact[];
  events: EventRow[];
  log: LogPlace | undefined;
  /** In chronological order, including withdrawn approvals. */
  approvals: ApprovalRow[];
};
