import type {
  Cancellation,
  Document,
  DocumentCounts,
  DocumentStatus,
  DocumentEvent,
  DocumentStub,
  FinalFile,
  Finalization,
  PhotosRecord,
  RawFile,
} from '@karaar/contracts/documents/http';
import { contentHash } from '@karaar/proof/approval/approval';
import type { SentSms } from '@karaar/contracts/sms';
import { durationDays, toRupees, totalPaise } from '@karaar/contracts/charge';
import type { DocumentRecord, EventRow, JobState, PartyRow } from './agreement-records.repository.ts';
import type { SentTextRow } from '../text-messages/text-messages.repository.ts';
import { presentOpenInvitations } from './open-invitations.ts';
import type { RawFileRow } from './agreements.repository.ts';
import type { SignPath } from '../../context.ts';
import type { countByStatus } from './listing/listing.repository.ts';
import { isOutstanding } from './rules/agreement.ts';
import { remindableAt } from './rules/reminding.ts';
import { contentOf, partiesHash } from './approvals/shown.ts';

const UNKNOWN_USER = 'Unknown User';
const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
const primaryName = (record: DocumentRecord): string =>
  record.parties.find((party) => party.state === 'primary')?.name ?? UNKNOWN_USER;

/** Presents a document to an involved user. Only the primary user sees the people who asked to join. */
export function presentDocument(record: DocumentRecord, viewerId: string, sign: SignPath): Document {
  const { document, rawFiles, job } = record;
  const involved = record.parties.filter((party) => party.state !== 'requested');
  const listed = document.primary_user === viewerId ? record.parties : involved;
  const files = rawFiles.map((file) => presentFile(file, sign));
  const finals = presentFinalFiles(record, sign);
  const days = durationDays(document.start_date, document.end_date);
  return {
    _id: document.id,
    document_id: document.id,
    name: document.name,
    document_code: document.document_code,
    status: document.status,
    blockchain: document.blockchain,
    location: document.location,
    start_date: document.start_date,
    end_date: document.end_date,
    created_at: document.created_at.toISOString(),
    description: document.description,
    page_details: document.page_details,
    upload_raw_docs: files.map((file) => file.path),
    final_docs: finals.map((file) => file.path),
    final_files: finals,
    raw_files: files,
    primary_user: document.primary_user,
    primary_user_name: primaryName(record),
    ...(record.labels ? { labels: [...record.labels] } : {}),
    ...(record.cancellation ? { cancelled: presentCancellation(record.cancellation) } : {}),
    involved_users: involved.map((party) => party.user_id),
    user_approvals: Object.fromEntries(
      involved.map((party) => [
        party.user_id,
        {
          approved: party.approved,
          approved_at: iso(party.approved_at),
          is_primary: party.state === 'primary',
        },
      ]),
    ),
    parties: listed.map((party) => ({
      user_id: party.user_id,
      char_id: party.char_id ?? '',
      name: party.name ?? UNKNOWN_USER,
      ...(party.approved_name && party.approved_name !== party.name
        ? { approved_as: party.approved_name }
        : {}),
      state: party.state,
      approved: party.approved,
      verified: party.verified,
      ...presentAgain(record, party),
      ...(party.state === 'rejected' ? { reject_reason: party.reject_reason } : {}),
      ...presentReminders(record, party, viewerId),
      ...presentTextMessage(record, party, viewerId),
      ...presentAnswerBy(record, party, viewerId),
      ...(party.evidence
        ? { evidence: { ...party.evidence, verified_at: party.evidence.verified_at.toISOString() } }
        : {}),
      ...(document.primary_user === viewerId && party.photo_hints?.length
        ? { photo_hints: party.photo_hints }
        : {}),
    })),
    ...presentOpenInvitations(record.openInvitations, document.primary_user === viewerId),
    ...(document.primary_user === viewerId ? { reminders: document.reminders } : {}),
    ...(document.cancel_late ? { cancel_late: true } : {}),
    total_amount: toRupees(totalPaise(document.daily_rate_paise, days)),
    duration_days: days,
    finalization: job && presentJob(job, document.status),
    version: document.version,
    ...(document.status === 'draft'
      ? { target_user_char_id: document.target_char_id ?? '', content_version: document.content_version }
      : {}),
  };
}

/** Presents a single document with the hashes of its content and parties, which an approval repeats. */
export const presentRead = (record: DocumentRecord, viewerId: string, sign: SignPath): Document => {
  const document = presentDocument(record, viewerId, sign);
  return {
    ...document,
    parties: withPhotos(document, record, viewerId, sign),
    content_hash: contentHash(contentOf(record.document, record.rawFiles)),
    parties_hash: partiesHash(document.involved_users),
  };
};

/** Adds face photos for the creator; lists do not have them. */
const withPhotos = (
  { parties, primary_user }: Document,
  record: DocumentRecord,
  viewerId: string,
  sign: SignPath,
): Document['parties'] =>
  parties.map((party) => {
    const own = record.parties.find(({ user_id }) => user_id === party.user_id);
    if (primary_user !== viewerId || !own?.photo_path) return party;
    const face = own.face_box ? { photo_face: own.face_box } : {};
    return { ...party, photo: sign(own.photo_path), ...face };
  });

function presentJob(job: JobState, status: Document['status']): Finalization {
  const state = stateOf(job.state, status);
  const progress = state === 'running' && job.progress ? { ...job.progress, no: job.progress_no } : null;
  return { state, detail: job.detail, progress, code: job.fault_code, file: job.fault_file };
}

/** In a list, the job is read after the document, so a job can be done before its document is finalized. */
function stateOf(job: JobState['state'], status: Document['status']): 'running' | 'done' | 'failed' {
  if (job === 'queued') return 'running';
  return job === 'done' && status !== 'finalized' ? 'running' : job;
}

const presentCancellation = (event: EventRow): Cancellation => ({
  at: event.at.toISOString(),
  by_name: event.actor_id ? (event.actor_name ?? UNKNOWN_USER) : 'Karaar',
  reason: event.reason,
  ...(event.type === 'document.lapsed' ? { late_name: event.subject_name ?? '' } : {}),
});

/** Only the creator sees when a party was reminded, and when a reminder is possible again. */
function presentReminders({ document, reminded }: DocumentRecord, party: PartyRow, viewerId: string) {
  if (document.primary_user !== viewerId) return { remindable_at: null };
  const last = reminded.get(party.user_id);
  const next = remindableAt(document.status, party.state, last);
  return { remindable_at: iso(next), ...(next && last ? { reminded_at: last.toISOString() } : {}) };
}

/** Only the creator sees the state of a text message, while the answer is outstanding. */
function presentTextMessage({ document, texted }: DocumentRecord, party: PartyRow, viewerId: string) {
  const text = texted?.get(party.user_id);
  if (!text || document.primary_user !== viewerId || !isOutstanding(party)) return {};
  const { delivery } = text;
  const cause = delivery && delivery !== 'delivered' ? { cause: delivery } : {};
  return { text_message: { state: stateOfText(text), ...cause, at: text.at.toISOString() } };
}

function stateOfText({ state, reason, delivery }: SentTextRow): SentSms['state'] {
  if (delivery) return delivery === 'delivered' ? 'delivered' : 'failed';
  if (state === 'sent') return reason === null ? 'sent' : 'unconfirmed';
  return state === 'failed' ? 'failed' : 'queued';
}

/** Only the creator and the asked party see the date, while the answer is outstanding. */
function presentAnswerBy({ document }: DocumentRecord, party: PartyRow, viewerId: string) {
  const concerned = viewerId === document.primary_user || viewerId === party.user_id;
  return concerned && party.answer_by && isOutstanding(party) ? { answer_by: party.answer_by } : {};
}

function presentAgain({ again }: DocumentRecord, { user_id }: PartyRow) {
  const why = again?.get(user_id);
  return why ? { approve_again: why } : {};
}

function presentFinalFiles({ document, attachments }: DocumentRecord, sign: SignPath): FinalFile[] {
  if (!document.final_path) return [];
  const sealed = `${document.document_code}.pdf`;
  return [
    { name: sealed, path: sign(document.final_path, sealed), sealed: true },
    ...attachments.map(({ name, path }) => ({ name, path: sign(path, name), sealed: false })),
  ];
}

const presentFile = (file: RawFileRow, sign: SignPath): RawFile => ({
  file_id: file.id,
  name: file.name,
  mime: file.mime,
  size: file.size,
  sha256: file.sha256,
  path: sign(file.path, file.name),
  pages: file.pages,
  thumbnail: sign(file.thumb_path),
  preview: sign(file.preview_path),
  preview_sha256: file.preview_sha256,
  pictures: file.pictures,
  picture_reasons: file.picture_reasons,
  pictures_accepted_at: iso(file.pictures_accepted_at),
  left_out: file.left_out,
  left_out_accepted_at: iso(file.left_out_accepted_at),
});

/** Presents a document to other users: without the code and the files (design §3 Who sees what). */
export function presentStub(record: DocumentRecord): DocumentStub {
  const { id, name, status } = record.document;
  return { _id: id, document_id: id, name, status, primary_user_name: primaryName(record) };
}

/** @param inFull includes the comparison of eyes, which only the creator and admins see */
export const presentEvent = (event: EventRow, inFull: boolean): DocumentEvent => ({
  _id: event.id,
  type: event.type,
  actor_id: event.actor_id,
  actor_name: event.actor_id ? (event.actor_name ?? UNKNOWN_USER) : 'Karaar',
  at: event.at.toISOString(),
  detail: event.detail,
  subject_id: event.subject_id,
  subject_name: event.subject_id && (event.subject_name ?? UNKNOWN_USER),
  status_from: event.status_from,
  status_to: event.status_to,
  files_sha256: event.files_sha256,
  from_device: event.from_device,
  from_address: event.from_address,
  ...(event.reason ? { reason: event.reason } : {}),
  ...(event.photos ? { photos: inFull ? event.photos : withoutAgreement(event.photos) } : {}),
});

function withoutAgreement({ eye_agreement: _, ...photos }: PhotosRecord): PhotosRecord {
  return photos;
}

type StatusCount = { status: DocumentStatus; count: number };

/** Returns the count of each status, and their sum. */
export function presentCounts(
  statuses: readonly StatusCount[],
): Omit<DocumentCounts, 'archived' | 'pending_agreements'> {
  const none = { draft: 0, pending: 0, pending_approval: 0, approved: 0, finalized: 0, rejected: 0 };
  const counts = { ...none, ...Object.fromEntries(statuses.map(({ status, count }) => [status, count])) };
  return { ...counts, total: statuses.reduce((sum, { count }) => sum + count, 0) };
}

export function presentOwnCounts({
  statuses,
  waiting,
  labels,
}: Awaited<ReturnType<typeof countByStatus>> & { labels: string[] }): DocumentCounts {
  const archived = statuses.filter((row) => row.archived);
  return {
    ...presentCounts(statuses.filter((row) => !row.archived)),
    archived: presentCounts(archived).total,
    pending_agreements: waiting,
    ...(labels.length > 0 ? { labels } : {}),
  };
}
