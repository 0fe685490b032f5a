/** Reads agreements as screens show them; takes the database or the transaction it is given. */
import type { Tx } from '@karaar/platform/db-kit';
import type { Kysely, Selectable } from 'kysely';
import type { Database, DocumentEventsTable, PartiesTable } from '../../db/schema.ts';
import type { DocumentRow, RawFileRow } from './agreements.repository.ts';

export type PartyRow = Selectable<PartiesTable> & { name: string | null; char_id: string | null };
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
