import type {
  ApproveAgain,
  Evidence,
  FaceBox,
  PhotoHint,
  PhotoSource,
  SignMethod,
} from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { inTransaction } from '@karaar/db';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type {
  AttachmentsTable,
  Db,
  DocumentEventsTable,
  FinalizationJobsTable,
  PartiesTable,
} from '../../db/schema.ts';
import { newestTexts, type SentTextRow } from '../text-messages/text-messages.repository.ts';
import { openInvitationsOf, type OpenInvitationRow } from './open-invitations.ts';
import type { DocumentRow, RawFileRow } from './agreements.repository.ts';
import { newestName } from './party-names.repository.ts';

export type PartyRow = Selectable<PartiesTable> & {
  /** The name at the last act in this document; before any act, the name of the account. */
  name: string | null;
  /** The name in the statement of the approval in force; null without one. */
  approved_name: string | null;
  char_id: string | null;
  language?: Language | null;
  photo_hints: PhotoHint[] | null;
  photo_path: string | null;
  face_box: FaceBox | null;
  /** How and when the party verified; null before that. */
  evidence: EvidenceRow | null;
};
type EvidenceRow = Omit<Evidence, 'verified_at'> & { verified_at: Date };
export type EventRow = Selectable<DocumentEventsTable> & {
  actor_name: string | null;
  subject_name: string | null;
};
export type JobState = Pick<
  Selectable<FinalizationJobsTable>,
  'state' | 'detail' | 'progress' | 'progress_no' | 'fault_code' | 'fault_file'
>;

export type DocumentRecord = {
  document: DocumentRow;
  parties: PartyRow[];
  rawFiles: RawFileRow[];
  attachments: Pick<Selectable<AttachmentsTable>, 'name' | 'path'>[];
  job: JobState | null;
  /** When each party was last reminded, by user ID. */
  reminded: ReadonlyMap<string, Date>;
  /** Only of a single document. */
  texted?: ReadonlyMap<string, SentTextRow>;
  /** Oldest first. */
  openInvitations: OpenInvitationRow[];
  /** Why parties must approve again, by user ID; set only when a single document is read. */
  again?: ReadonlyMap<string, ApproveAgain>;
  /** The viewer's own labels; set only for the viewer's list and page. */
  labels?: readonly string[] | undefined;
  /** The entry of its history, if the document was cancelled. */
  cancellation: EventRow | undefined;
};

export const partyName = ({ parties }: Pick<DocumentRecord, 'parties'>, userId: string): string =>
  parties.find((party) => party.user_id === userId)?.name ?? 'Unknown User';

/** Reads everything in one snapshot: otherwise an approved document could come with a finished job. */
export async function findDocument(db: Db, id: string): Promise<DocumentRecord | undefined> {
  return inTransaction(
    db,
    async (tx) => {
      const document = await tx.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
      const [record] = document ? await withDetails(tx, [document]) : [];
      return record && { ...record, again: await approveAgain(tx, id), texted: await newestTexts(tx, id) };
    },
    { isolation: 'repeatable read' },
  );
}

/** Uses the newest event about each party who has not approved, because a party can leave and come back. */
async function approveAgain(db: Db, id: string): Promise<ReadonlyMap<string, ApproveAgain>> {
  const { rows } = await sql<{ user_id: string; why: ApproveAgain | null }>`
    SELECT DISTINCT ON (p.user_id) p.user_id,
      CASE e.type WHEN 'party.approval_ended' THEN 'parties_changed' WHEN 'party.verified' THEN 'verified_again' END AS why
    FROM parties p JOIN document_events e ON e.document_id = p.document_id AND (
      e.subject_id = p.user_id AND e.type IN ('party.approval_ended', 'party.joined')
      OR e.actor_id = p.user_id AND e.type IN ('party.verified', 'party.requested', 'party.contact_accepted')
    )
    WHERE p.document_id = ${id} AND p.state IN ('primary', 'admitted') AND NOT p.approved
    ORDER BY p.user_id, e.seq DESC`.execute(db);
  return new Map(rows.flatMap(({ user_id, why }) => (why ? [[user_id, why] as const] : [])));
}

/** Returns the documents in the order of `ids`, without unknown ones. */
export async function findDocuments(db: Db, ids: readonly string[]): Promise<DocumentRecord[]> {
  if (ids.length === 0) return [];
  const documents = await db.selectFrom('documents').selectAll().where('id', 'in', ids).execute();
  const records = new Map((await withDetails(db, documents)).map((record) => [record.document.id, record]));
  return ids.flatMap((id) => records.get(id) ?? []);
}

async function withDetails(db: Db, documents: DocumentRow[]): Promise<DocumentRecord[]> {
  if (documents.length === 0) return [];
  const ids = documents.map((document) => document.id);
  const [parties, rawFiles, jobs, reminders, attachments, openInvitations] = [
    await db
      .selectFrom('parties')
      .leftJoin('directory', 'directory.user_id', 'parties.user_id')
      .leftJoin('verifications', (join) =>
        join
          .onRef('verifications.document_id', '=', 'parties.document_id')
          .onRef('verifications.user_id', '=', 'parties.user_id'),
      )
      .leftJoin('approvals', (join) =>
        join
          .onRef('approvals.document_id', '=', 'parties.document_id')
          .onRef('approvals.user_id', '=', 'parties.user_id')
          .on('approvals.withdrawn_at', 'is', null),
      )
      .selectAll('parties')
      .select(['directory.char_id', 'directory.language'])
      .select([
        nameIn(sql`parties.document_id`, sql`parties.user_id`, sql`directory.name`).as('name'),
        sql<string | null>`approvals.statement::jsonb #>> '{person,name}'`.as('approved_name'),
      ])
      .select([
        'verifications.photo_hints',
        'verifications.profile_pic as photo_path',
        'verifications.face_box',
        'verifications.profile_pic_source',
        'verifications.eye_source',
        'verifications.sign_method',
        'verifications.created_at as verified_at',
      ])
      .where('parties.document_id', 'in', ids)
      .orderBy('position')
      .execute()
      .then((rows) => rows.map(withEvidence)),
    await db.selectFrom('raw_files').selectAll().where('document_id', 'in', ids).orderBy('ordinal').execute(),
    await db
      .selectFrom('finalization_jobs')
      .select(['document_id', 'state', 'detail', 'progress', 'progress_no', 'fault_code', 'fault_file'])
      .where('document_id', 'in', ids)
      .execute(),
    await db
      .selectFrom('text_messages')
      .select(['document_id', 'user_id', sql<Date>`max(created_at)`.as('at')])
      .where('document_id', 'in', ids)
      .where('kind', '=', 'reminder')
      .groupBy(['document_id', 'user_id'])
      .execute(),
    await db
      .selectFrom('attachments')
      .select(['document_id', 'name', 'path'])
      .where('document_id', 'in', ids)
      .orderBy('id')
      .execute(),
    await openInvitationsOf(db, ids),
  ];
  const cancellations = await cancellationsOf(
    db,
    documents.filter(({ cancelled }) => cancelled).map(({ id }) => id),
  );
  return documents.map((document) => ({
    document,
    parties: parties.filter((party) => party.document_id === document.id),
    rawFiles: rawFiles.filter((file) => file.document_id === document.id),
    attachments: attachments.filter((file) => file.document_id === document.id),
    job: jobs.find((job) => job.document_id === document.id) ?? null,
    reminded: new Map(
      reminders.filter((row) => row.document_id === document.id).map((row) => [row.user_id, row.at]),
    ),
    openInvitations: openInvitations.filter((row) => row.document_id === document.id),
    cancellation: cancellations.find((event) => event.document_id === document.id),
  }));
}

type Joined = {
  profile_pic_source: PhotoSource | null;
  eye_source: PhotoSource | null;
  sign_method: SignMethod | null;
  verified_at: Date | null;
};

function withEvidence<R extends Joined>({
  profile_pic_source,
  eye_source,
  sign_method,
  verified_at,
  ...party
}: R) {
  const evidence =
    profile_pic_source && eye_source && sign_method && verified_at
      ? {
          profile_pic_source,
          eye_source,
          sign_method,
          verified_at,
        }
      : null;
  return { ...party, evidence };
}

/** A user's name in a document at the moment `at`, or at the last act, or else the account's name. */
const nameIn = (
  documentId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  ofAccount: RawBuilder<unknown>,
  at?: RawBuilder<unknown>,
) => sql<string | null>`coalesce(${newestName(documentId, userId, at)}, ${ofAccount})`;

/** Returns the history, oldest first. */
export const listEvents = (db: Db, documentId: string): Promise<EventRow[]> =>
  eventsIn(db).where('document_id', '=', documentId).orderBy('seq').execute();

const cancellationsOf = async (db: Db, ids: readonly string[]): Promise<EventRow[]> =>
  ids.length === 0
    ? []
    : eventsIn(db)
        .where('document_id', 'in', ids)
        .where('type', 'in', ['document.cancelled', 'document.lapsed'])
        .execute();

/** The events, with the names that people had at the time. */
function eventsIn(db: Db) {
  const nameThen = (userId: RawBuilder<unknown>, ofAccount: RawBuilder<unknown>) =>
    nameIn(sql`document_events.document_id`, userId, ofAccount, sql`document_events.at`);
  return db
    .selectFrom('document_events')
    .leftJoin('directory', 'directory.user_id', 'document_events.actor_id')
    .leftJoin('directory as subject', 'subject.user_id', 'document_events.subject_id')
    .selectAll('document_events')
    .select([
      nameThen(sql`document_events.actor_id`, sql`directory.name`).as('actor_name'),
      nameThen(sql`document_events.subject_id`, sql`subject.name`).as('subject_name'),
    ]);
}

/** Returns true if the path is a party's face photo in this user's document: creators see whom they admit. */
export async function isPhotoForCreator(db: Db, path: string, userId: string): Promise<boolean> {
  // Starts from the creator's documents: they are indexed, and the paths of photos are not.
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM documents
      JOIN parties ON parties.document_id = documents.id
      JOIN verifications ON verifications.document_id = parties.document_id AND verifications.user_id = parties.user_id
      WHERE documents.primary_user = ${userId} AND verifications.profile_pic = ${path}
    ) AS found`.execute(db);
  return rows[0]?.found === true;
}

/** Returns true if the path is any file of a document that involves this user. */
export async function isFileOfInvolvedUser(db: Db, path: string, userId: string): Promise<boolean> {
  // One index per column; an OR over the join would read every document of the user.
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM (
        SELECT document_id FROM raw_files WHERE path = ${path}
        UNION ALL SELECT document_id FROM raw_files WHERE thumb_path = ${path}
        UNION ALL SELECT document_id FROM raw_files WHERE preview_path = ${path}
        UNION ALL SELECT id FROM documents WHERE final_path = ${path}
        UNION ALL SELECT document_id FROM attachments WHERE path = ${path}
      ) file
      JOIN parties USING (document_id)
      WHERE parties.user_id = ${userId} AND parties.state <> 'requested'
    ) AS found`.execute(db);
  return rows[0]?.found === true;
}
