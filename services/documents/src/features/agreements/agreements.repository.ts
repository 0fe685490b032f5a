/** Writes agreements, and reads what is needed to decide on them; takes the database or the transaction it is given. */
import type { DocumentStatus } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/platform/db-kit';
import { uuidv7 } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Database, DocumentsTable, RawFilesTable } from '../../db/schema.ts';
import type { Agreement } from './agreement.ts';

export type DocumentRow = Selectable<DocumentsTable>;
export type RawFileRow = Selectable<RawFilesTable>;

type Db = Kysely<Database> | Tx<Database>;

export type NewDocument = {
  id: string;
  documentCode: string;
  name: string;
  location: string | null;
  startDate: string | null;
  endDate: string | null;
  description: string | null;
  pageDetails: { page_no: number; description: string }[];
  primaryUser: string;
  dailyRatePaise: number;
  rawFiles: Omit<RawFileRow, 'document_id' | 'ordinal'>[];
};

export async function insertDocument(tx: Tx<Database>, input: NewDocument): Promise<void> {
  await tx
    .insertInto('documents')
    .values({
      id: input.id,
      document_code: input.documentCode,
      name: input.name,
      location: input.location,
      start_date: input.startDate,
      end_date: input.endDate,
      description: input.description,
      page_details: JSON.stringify(input.pageDetails),
      status: 'pending',
      primary_user: input.primaryUser,
      daily_rate_paise: input.dailyRatePaise,
      version: 0,
    })
    .execute();
  await tx
    .insertInto('raw_files')
    .values(input.rawFiles.map((file, ordinal) => ({ ...file, document_id: input.id, ordinal })))
    .execute();
}

/** Is this code taken? A unique index decides in the end; this keeps retries out of transactions. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('document_code', '=', code.toUpperCase())
    .executeTakeFirst();
  return row !== undefined;
}

export async function findIdByCode(db: Db, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('document_code', '=', code.toUpperCase())
    .where('status', '<>', 'draft')
    .executeTakeFirst();
  return row?.id;
}

/** The agreement under a row lock: concurrent commands on one document run one after the other. */
export async function lockAgreement(
  tx: Tx<Database>,
  id: string,
): Promise<{ agreement: Agreement; version: number } | undefined> {
  const document = await tx
    .selectFrom('documents')
    .select(['id', 'status', 'primary_user', 'finalizing', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!document) return undefined;
  const parties = await tx
    .selectFrom('parties')
    .select(['user_id', 'state', 'approved', 'verified'])
    .where('document_id', '=', id)
    .orderBy('position')
    .execute();
  const files = await tx
    .selectFrom('raw_files')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    version: document.version,
    agreement: {
      id,
      status: document.status,
      primaryUserId: document.primary_user,
      finalizing: document.finalizing,
      rawFileCount: files.count,
      parties: parties.map((party) => ({
        userId: party.user_id,
        state: party.state,
        approved: party.approved,
        verified: party.verified,
      })),
    },
  };
}

/** Writes what differs between two states of one agreement, and its new version. */
export async function saveAgreement(
  tx: Tx<Database>,
  before: Agreement | undefined,
  after: Agreement,
  version: number,
  filesSha256: string,
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ status: after.status, finalizing: after.finalizing, version })
    .where('id', '=', after.id)
    .execute();
  const old = new Map(before?.parties.map((party) => [party.userId, party]));
  const gone = [...old.keys()].filter((id) => !after.parties.some((party) => party.userId === id));
  if (gone.length > 0) {
    await tx.deleteFrom('parties').where('document_id', '=', after.id).where('user_id', 'in', gone).execute();
    await tx
      .deleteFrom('verifications')
      .where('document_id', '=', after.id)
      .where('user_id', 'in', gone)
      .execute();
  }
  for (const party of after.parties) {
    const was = old.get(party.userId);
    if (
      was &&
      was.state === party.state &&
      was.approved === party.approved &&
      was.verified === party.verified
    ) {
      continue;
    }
    const keepsApproval = was?.approved === true && party.approved;
    await tx
      .insertInto('parties')
      .values({
        document_id: after.id,
        user_id: party.userId,
        position: sql<number>`(SELECT coalesce(max(position), -1) + 1 FROM parties WHERE document_id = ${after.id})`,
        state: party.state,
        approved: party.approved,
        approved_at: party.approved ? sql<Date>`now()` : null,
        approved_files_sha256: party.approved ? filesSha256 : null,
        verified: party.verified,
      })
      .onConflict((conflict) =>
        conflict.columns(['document_id', 'user_id']).doUpdateSet({
          state: party.state,
          verified: party.verified,
          ...(keepsApproval
            ? {}
            : {
                approved: party.approved,
                approved_at: party.approved ? sql<Date>`now()` : null,
                approved_files_sha256: party.approved ? filesSha256 : null,
              }),
        }),
      )
      .execute();
  }
}

export type NewEvent = {
  documentId: string;
  type: string;
  actorId: string | null;
  detail: string;
  statusFrom: DocumentStatus | null;
  statusTo: DocumentStatus;
  filesSha256: string;
};

export async function appendEvent(tx: Tx<Database>, event: NewEvent): Promise<void> {
  await tx
    .insertInto('document_events')
    .values({
      id: uuidv7(),
      document_id: event.documentId,
      type: event.type,
      actor_id: event.actorId,
      detail: event.detail,
      status_from: event.statusFrom,
      status_to: event.statusTo,
      files_sha256: event.filesSha256,
    })
    .execute();
}

export async function markPaid(tx: Tx<Database>, id: string): Promise<void> {
  await tx.updateTable('documents').set({ paid: true }).where('id', '=', id).execute();
}

/** The document's place in the transparency log was verified. */
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
