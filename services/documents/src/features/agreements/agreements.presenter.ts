import type { Document, DocumentStub } from '@karaar/contracts/documents/http';
import { durationDays, toRupees, totalPaise } from '@karaar/contracts/charge';
import type { DocumentRecord, EventRow, JobState } from './agreement-records.repository.ts';

/** Signs a stored path for one viewer. */
export type SignPath = (path: string, filename?: string) => string;

const UNKNOWN_USER = 'Unknown User';
const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
const primaryName = (record: DocumentRecord): string =>
  record.parties.find((party) => party.state === 'primary')?.name ?? UNKNOWN_USER;

/** A document for an involved user; requested joiners are listed to the primary user only. */
export function presentDocument(record: DocumentRecord, viewerId: string, sign: SignPath): Document {
  const { document, rawFiles, job } = record;
  const involved = record.parties.filter((party) => party.state !== 'requested');
  const listed = document.primary_user === viewerId ? record.parties : involved;
  const paths = rawFiles.map((file) => sign(file.path, file.name));
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
    upload_raw_docs: paths,
    final_docs: document.final_path ? [sign(document.final_path, `${document.document_code}.pdf`)] : [],
    raw_files: rawFiles.map((file, index) => ({
      name: file.name,
      mime: file.mime,
      size: file.size,
      sha256: file.sha256,
      path: paths[index] ?? '',
    })),
    primary_user: document.primary_user,
    primary_user_name: primaryName(record),
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
      state: party.state,
      approved: party.approved,
      verified: party.verified,
    })),
    total_amount: toRupees(totalPaise(document.daily_rate_paise, days)),
    duration_days: days,
    finalization: job && { state: progressOf(job.state, document.status), detail: job.detail },
  };
}

/** The job is read after the document: one that ended in between has not ended for this answer. */
function progressOf(job: JobState['state'], status: Document['status']): 'running' | 'done' | 'failed' {
  if (job === 'queued') return 'running';
  return job === 'done' && status !== 'finalized' ? 'running' : job;
}

/** A document for anybody else: never the code, never a file (design §3 Who sees what). */
export function presentStub(record: DocumentRecord): DocumentStub {
  const { id, name, status } = record.document;
  return { _id: id, document_id: id, name, status, primary_user_name: primaryName(record) };
}

export function presentEvent(event: EventRow) {
  return {
    _id: event.id,
    type: event.type,
    actor_id: event.actor_id,
    actor_name: event.actor_id ? (event.actor_name ?? UNKNOWN_USER) : 'Karaar',
    at: event.at.toISOString(),
    detail: event.detail,
  };
}
