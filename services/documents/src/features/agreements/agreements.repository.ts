import { readCode } from '@karaar/contracts/typed/read';
import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, DocumentsTable, PartiesTable, RawFilesTable } from '../../db/schema.ts';
import { isGiven, type Agreement, type Party } from './rules/agreement.ts';
import type { Accepted } from './files/accepted.ts';
import { refreshListing } from './listing/listing.repository.ts';

export type DocumentRow = Selectable<DocumentsTable>;
export type RawFileRow = Selectable<RawFilesTable>;

export type NewRawFile = Pick<
  RawFileRow,
  | 'name'
  | 'kind'
  | 'mime'
  | 'size'
  | 'sha256'
  | 'path'
  | 'pages'
  | 'pictures'
  | 'picture_reasons'
  | 'left_out'
  | 'text_path'
  | 'thumb_path'
  | 'preview_path'
  | 'preview_sha256'
>;

export type DocumentDetails = {
  name: string;
  location: string | null;
  startDate: string | null;
  endDate: string | null;
  description: string | null;
  pageDetails: { page_no: number; description: string }[];
};

export type NewDocument = DocumentDetails & {
  id: string;
  documentCode: string;
  status: 'draft' | 'pending';
  targetCharId: string | null;
  primaryUser: string;
  dailyRatePaise: number;
  rawFiles: NewRawFile[];
};

export async function insertDocument(tx: Tx<Database>, input: NewDocument): Promise<void> {
  await tx
    .insertInto('documents')
    .values({
      id: input.id,
      document_code: input.documentCode,
      ...detailColumns(input),
      target_char_id: input.targetCharId,
      status: input.status,
      primary_user: input.primaryUser,
      daily_rate_paise: input.dailyRatePaise,
      version: 0,
    })
    .execute();
  await insertRawFiles(tx, input.id, input.rawFiles, 0);
}

const detailColumns = (details: DocumentDetails) => ({
  name: details.name,
  location: details.location,
  start_date: details.startDate,
  end_date: details.endDate,
  description: details.description,
  page_details: JSON.stringify(details.pageDetails),
});

export async function insertRawFiles(
  tx: Tx<Database>,
  documentId: string,
  files: readonly NewRawFile[],
  firstOrdinal: number,
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insertInto('raw_files')
    .values(files.map((file, index) => ({ ...file, document_id: documentId, ordinal: firstOrdinal + index })))
    .execute();
}

/** Returns how often the content of a draft was changed, or undefined for an unknown document. */
export async function contentVersionOf(tx: Tx<Database>, id: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('documents')
    .select('content_version')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.content_version;
}

/** Updates a draft's details, after its files; increments its versions and refreshes its list entry. */
export async function updateDraftDetails(
  tx: Tx<Database>,
  id: string,
  draft: DocumentDetails & { targetCharId: string | null },
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({
      ...detailColumns(draft),
      target_char_id: draft.targetCharId,
      version: sql<number>`version + 1`,
      content_version: sql<number>`content_version + 1`,
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
  await refreshListing(tx, id);
}

/** Stores how often Karaar reminds the parties. The version stays, because parties do not approve this. */
export async function saveReminders(
  tx: Tx<Database>,
  id: string,
  reminders: DocumentRow['reminders'],
): Promise<void> {
  await tx.updateTable('documents').set({ reminders }).where('id', '=', id).execute();
}

/** Returns false if nothing changes. */
export async function saveCancelLate(tx: Tx<Database>, id: string, cancelLate: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ cancel_late: cancelLate })
    .where('id', '=', id)
    .where('cancel_late', '<>', cancelLate)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export const remindersOf = async (tx: Tx<Database>, id: string): Promise<DocumentRow['reminders']> =>
  (await tx.selectFrom('documents').select('reminders').where('id', '=', id).executeTakeFirstOrThrow())
    .reminders;

/** A draft is charged at the daily rate of the day on which it is submitted. */
export async function fixDailyRate(tx: Tx<Database>, id: string, dailyRatePaise: number): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ daily_rate_paise: dailyRatePaise, target_char_id: null })
    .where('id', '=', id)
    .execute();
}

/** Records that the creator accepts pictures of pages, and omitted parts, of the files with these hashes. */
export async function acceptFiles(tx: Tx<Database>, documentId: string, accepted: Accepted): Promise<void> {
  const files = (sha256s: readonly string[]) =>
    tx.updateTable('raw_files').where('document_id', '=', documentId).where('sha256', 'in', sha256s);
  const now = sql<Date>`now()`;
  if (accepted.pictures.length > 0)
    await files(accepted.pictures)
      .set({ pictures_accepted_at: now })
      .where(sql<boolean>`cardinality(pictures) > 0`)
      .where('pictures_accepted_at', 'is', null)
      .execute();
  if (accepted.leftOut.length > 0)
    await files(accepted.leftOut)
      .set({ left_out_accepted_at: now })
      .where(sql<boolean>`cardinality(left_out) > 0`)
      .where('left_out_accepted_at', 'is', null)
      .execute();
}

export async function deleteRawFiles(tx: Tx<Database>, documentId: string, fileIds: string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await tx.deleteFrom('raw_files').where('document_id', '=', documentId).where('id', 'in', fileIds).execute();
}

/** Deletes a draft. A submitted document has a history, which the database keeps. */
export async function deleteDraftDocument(tx: Tx<Database>, id: string): Promise<void> {
  await tx.deleteFrom('documents').where('id', '=', id).where('status', '=', 'draft').execute();
}

/** Returns true if the code is taken. The unique index decides; this check only avoids retries. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('document_code', '=', code.toUpperCase())
    .executeTakeFirst();
  return row !== undefined;
}

export async function findIdByCode(db: Db, code: string): Promise<string | undefined> {
  const documentCode = readCode(code);
  if (!documentCode) return undefined;
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('document_code', '=', documentCode)
    .where('status', '<>', 'draft')
    .executeTakeFirst();
  return row?.id;
}

/** Reads the agreement under a row lock, which serializes concurrent commands on one document. */
export async function lockAgreement(
  tx: Tx<Database>,
  id: string,
): Promise<{ agreement: Agreement; version: number } | undefined> {
  const document = await tx
    .selectFrom('documents')
    .select(['id', 'status', 'primary_user', 'finalizing', 'cancelled', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!document) return undefined;
  const parties = await tx
    .selectFrom('parties')
    .select(['user_id', 'state', 'approved', 'verified', 'reject_reason', 'answer_by'])
    .where('document_id', '=', id)
    .orderBy('position')
    .execute();
  const files = await tx
    .selectFrom('raw_files')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow();
  const open = await tx
    .selectFrom('open_invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('document_id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return {
    version: document.version,
    agreement: {
      id,
      status: document.status,
      primaryUserId: document.primary_user,
      finalizing: document.finalizing,
      cancelled: document.cancelled,
      rawFileCount: files.count,
      openInvitations: open.count,
      parties: parties.map(partyOf),
    },
  };
}

export const partyOf = (
  row: Pick<
    Selectable<PartiesTable>,
    'user_id' | 'state' | 'approved' | 'verified' | 'reject_reason' | 'answer_by'
  >,
): Party => ({
  userId: row.user_id,
  state: row.state,
  approved: row.approved,
  verified: row.verified,
  rejectReason: row.reject_reason,
  answerBy: row.answer_by,
});

/** Writes the differences between two states of an agreement, and its new version. */
export async function saveAgreement(
  tx: Tx<Database>,
  before: Agreement | undefined,
  after: Agreement,
  version: number,
  filesSha256: string,
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({
      status: after.status,
      finalizing: after.finalizing,
      cancelled: after.cancelled,
      version,
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', after.id)
    .execute();
  const old = new Map(before?.parties.map((party) => [party.userId, party]));
  const removedIds = [...old.keys()].filter((id) => !after.parties.some((party) => party.userId === id));
  if (removedIds.length > 0) {
    await tx
      .deleteFrom('parties')
      .where('document_id', '=', after.id)
      .where('user_id', 'in', removedIds)
      .execute();
    // These users verified for this agreement and are no longer parties.
    await tx
      .deleteFrom('verifications')
      .where('document_id', '=', after.id)
      .where('user_id', 'in', removedIds)
      .execute();
  }
  for (const party of after.parties) {
    const was = old.get(party.userId);
    if (was && !differs(was, party)) continue;
    const approval = {
      approved: party.approved,
      approved_at: party.approved ? sql<Date>`date_trunc('milliseconds', now())` : null,
      approved_files_sha256: party.approved ? filesSha256 : null,
    };
    const partyState = {
      state: party.state,
      verified: party.verified,
      reject_reason: party.rejectReason ?? null,
      answer_by: party.answerBy ?? null,
    };
    await tx
      .insertInto('parties')
      .values({
        document_id: after.id,
        user_id: party.userId,
        position: sql<number>`(SELECT coalesce(max(position), -1) + 1 FROM parties WHERE document_id = ${after.id})`,
        ...partyState,
        ...approval,
      })
      .onConflict((conflict) =>
        conflict.columns(['document_id', 'user_id']).doUpdateSet({
          ...partyState,
          ...(party.approved && !isGiven(was, party) ? {} : approval),
        }),
      )
      .execute();
  }
  await refreshListing(tx, after.id);
}

const differs = (was: Party, party: Party): boolean =>
  was.state !== party.state ||
  was.approved !== party.approved ||
  was.verified !== party.verified ||
  (was.rejectReason ?? null) !== (party.rejectReason ?? null) ||
  (was.answerBy ?? null) !== (party.answerBy ?? null) ||
  party.reapproved === true;

/** Increments the version for a change outside the agreement's state. Returns the new version. */
export async function countChange(tx: Tx<Database>, id: string): Promise<number> {
  const { version } = await tx
    .updateTable('documents')
    .set({ version: sql<number>`version + 1`, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await refreshListing(tx, id);
  return version;
}

export async function markLogged(tx: Tx<Database>, id: string, version: number): Promise<void> {
  await tx.updateTable('documents').set({ blockchain: true, version }).where('id', '=', id).execute();
}

export async function rawFilesOf(db: Db, documentId: string): Promise<RawFileRow[]> {
  return db
    .selectFrom('raw_files')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('ordinal')
    .execute();
}
