/** The only file that reads and writes agreements; takes the database or the transaction it is given. */
import type { DocumentStatus } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/platform/db-kit';
import { uuidv7 } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type {
  Database,
  DocumentEventsTable,
  DocumentsTable,
  PartiesTable,
  RawFilesTable,
} from '../../db/schema.ts';
import type { Agreement } from './agreement.ts';

export type DocumentRow = Selectable<DocumentsTable>;
export type PartyRow = Selectable<PartiesTable> & { name: string | null; char_id: string | null };
export type RawFileRow = Selectable<RawFilesTable>;
export type EventRow = Selectable<DocumentEventsTable> & { actor_name: string | null };
export type JobState = { state: 'queued' | 'running' | 'done' | 'failed'; detail: string | null };

/** A document with everything that its page shows. */
export type DocumentRecord = {
  document: DocumentRow;
  parties: PartyRow[];
  rawFiles: RawFileRow[];
  job: JobState | null;
};

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

export async function listEvents(db: Db, documentId: string): Promise<EventRow[]> {
  return db
    .selectFrom('document_events')
    .leftJoin('directory', 'directory.user_id', 'document_events.actor_id')
    .selectAll('document_events')
    .select('directory.name as actor_name')
    .where('document_id', '=', documentId)
    .orderBy('seq')
    .execute();
}

export async function markPaid(tx: Tx<Database>, id: string): Promise<void> {
  await tx.updateTable('documents').set({ paid: true }).where('id', '=', id).execute();
}

/** Is this stored path a raw or final file of a document that the user is involved in? */
export async function isFileOfInvolvedUser(db: Db, path: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .innerJoin('parties', 'parties.document_id', 'documents.id')
    .select('documents.id')
    .where('parties.user_id', '=', userId)
    .where('parties.state', '<>', 'requested')
    .where((where) =>
      where.or([
        where('documents.final_path', '=', path),
        where.exists(
          where
            .selectFrom('raw_files')
            .select('raw_files.path')
            .whereRef('raw_files.document_id', '=', 'documents.id')
            .where('raw_files.path', '=', path),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

export async function rawFilesOf(db: Db, documentId: string): Promise<RawFileRow[]> {
  return db
    .selectFrom('raw_files')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('ordinal')
    .execute();
}

export async function findDocument(db: Db, id: string): Promise<DocumentRecord | undefined> {
  const document = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
  return document && (await withDetails(db, [document]))[0];
}

/**
 * The documents that a user is involved in, newest first (UUIDv7 ids sort by time).
 * `before` is the id of the last document of the page before.
 */
export async function listDocumentsOf(
  db: Db,
  userId: string,
  page: { before?: string | undefined; limit: number },
): Promise<DocumentRecord[]> {
  let query = db
    .selectFrom('documents')
    .innerJoin('parties', 'parties.document_id', 'documents.id')
    .selectAll('documents')
    .where('parties.user_id', '=', userId)
    .where('parties.state', '<>', 'requested');
  if (page.before) query = query.where('parties.document_id', '<', page.before);
  return withDetails(db, await query.orderBy('parties.document_id', 'desc').limit(page.limit).execute());
}

export async function listInvitationsOf(db: Db, userId: string): Promise<DocumentRecord[]> {
  const documents = await db
    .selectFrom('documents')
    .innerJoin('parties', 'parties.document_id', 'documents.id')
    .selectAll('documents')
    .where('parties.user_id', '=', userId)
    .where('parties.state', '=', 'invited')
    .where('documents.status', 'in', ['pending', 'pending_approval'])
    .orderBy('documents.id', 'desc')
    .limit(200)
    .execute();
  return withDetails(db, documents);
}

async function withDetails(db: Db, documents: DocumentRow[]): Promise<DocumentRecord[]> {
  if (documents.length === 0) return [];
  const ids = documents.map((document) => document.id);
  const [parties, rawFiles, jobs] = [
    await db
      .selectFrom('parties')
      .leftJoin('directory', 'directory.user_id', 'parties.user_id')
      .selectAll('parties')
      .select(['directory.name', 'directory.char_id'])
      .where('document_id', 'in', ids)
      .orderBy('position')
      .execute(),
    await db.selectFrom('raw_files').selectAll().where('document_id', 'in', ids).orderBy('ordinal').execute(),
    await db
      .selectFrom('finalization_jobs')
      .select(['document_id', 'state', 'detail'])
      .where('document_id', 'in', ids)
      .execute(),
  ];
  return documents.map((document) => ({
    document,
    parties: parties.filter((party) => party.document_id === document.id),
    rawFiles: rawFiles.filter((file) => file.document_id === document.id),
    job: jobs.find((job) => job.document_id === document.id) ?? null,
  }));
}
