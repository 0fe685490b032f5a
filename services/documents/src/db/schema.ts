/** The documents database as kysely sees it; the migrations are its source. */
import type {
  ApprovalBasis,
  DocumentStatus,
  NoticeLanguage,
  PhotoHint,
  PhotoSource,
  PictureReason,
  SignMethod,
} from '@karaar/contracts/documents/http';
import type { DirectoryTable } from '@karaar/platform/directory';
import type { ColumnType, Generated, GeneratedAlways, Kysely, RawBuilder } from 'kysely';
import type { PartyState } from '../features/agreements/agreement.ts';
import type { HowFar } from '../features/finalization/progress.ts';
import type { StoredPhotos, StoredSource } from '../features/verification/stored-sources.ts';

type CreatedAt = ColumnType<Date, never, never>;
type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** int8 arrives as a number (db-kit checks that it is safe). */
type Bigint = ColumnType<number, number, number>;
type Json<T> = ColumnType<T, string, string>;

export type FinalPageCounts = { agreement: number; raw: number; signatures: number; certificate: number };

export type DocumentsTable = {
  id: string;
  document_code: string;
  name: string;
  location: string | null;
  /** `YYYY-MM-DD`, kept as text: a day in India has no time zone to shift it by. */
  start_date: string | null;
  end_date: string | null;
  description: string | null;
  page_details: Json<{ page_no: number; description: string }[]>;
  status: DocumentStatus;
  primary_user: string;
  finalizing: Generated<boolean>;
  blockchain: Generated<boolean>;
  daily_rate_paise: Bigint;
  paid: Generated<boolean>;
  /** Of the newest fact about the charge that `paid` is told by; 0 before there was one. */
  charge_number: Generated<number>;
  version: number;
  /** Grows with files and terms only. */
  content_version: Generated<number>;
  /** Of a draft: whom its owner wants to invite after submitting. */
  target_char_id: Generated<string | null>;
  changed_at: Generated<Date>;
  final_path: string | null;
  final_sha256: string | null;
  final_pages: Json<FinalPageCounts> | null;
  created_at: CreatedAt;
  finalized_at: NullableTimestamp;
};

export type PartiesTable = {
  document_id: string;
  user_id: string;
  position: number;
  state: PartyState;
  approved: boolean;
  approved_at: NullableTimestamp;
  /** Digest over the exact files that this party approved. */
  approved_files_sha256: string | null;
  verified: boolean;
  /** The language that the primary user chose for this party's messages. */
  notice_language: Generated<NoticeLanguage | null>;
  /** Of one who rejected, in the own words. */
  reject_reason: Generated<string | null>;
};

/** Every approval that was given, also those that were withdrawn; `parties` says which one is in force. */
export type ApprovalsTable = {
  id: string;
  document_id: string;
  user_id: string;
  approved_at: ColumnType<Date, Date, never>;
  /** Hex SHA-256 of what the server would have shown then; null where that is not known. */
  content_hash: ColumnType<string | null, string, never>;
  /** The version in which that is hashed: 1 names the files, 2 their pages as well. */
  content_form: ColumnType<1 | 2, 1 | 2 | undefined, never>;
  /** Canonical JSON of an ApprovalStatement (`@karaar/proof/approval`); null for those from before there were any. */
  statement: ColumnType<string | null, string, never>;
  /** `creator`: a click of the creator's for a person who had asked to join, from before parties approved themselves. */
  basis: ColumnType<ApprovalBasis, ApprovalBasis, never>;
  withdrawn_at: NullableTimestamp;
};

export type RawFilesTable = {
  document_id: string;
  ordinal: number;
  name: string;
  kind: 'pdf' | 'doc' | 'docx' | 'image';
  mime: string;
  size: number;
  sha256: string;
  path: string;
  id: Generated<string>;
  pages: Generated<number | null>;
  thumb_path: Generated<string | null>;
  /** The pages that will be sealed, as a PDF: what people read before they approve. */
  preview_path: Generated<string | null>;
  /** Null for the preview of a Word file that was uploaded before pages were made at once. */
  preview_sha256: Generated<string | null>;
  /** Pages, from 1, that stand in it as pictures. */
  pictures: ColumnType<number[], number[] | undefined, number[]>;
  /** Why, of each of them in their order; none where that was not kept. */
  picture_reasons: ColumnType<PictureReason[], PictureReason[] | undefined, PictureReason[]>;
  /** When the creator accepted that. */
  pictures_accepted_at: ColumnType<Date | null, Date | RawBuilder<Date> | null | undefined, RawBuilder<Date>>;
  /** The text of the pages, as JSON (`FileText`). */
  text_path: Generated<string | null>;
  preview_state: Generated<'pending' | 'done' | 'failed'>;
  preview_attempts: Generated<number>;
  preview_lease_until: Generated<Date | null>;
};

/** Files that were sent while the form is still filled in. */
export type UploadsTable = Pick<RawFilesTable, 'name' | 'kind' | 'mime' | 'size' | 'sha256' | 'path'> & {
  id: string;
  user_id: string;
  state: Generated<'checking' | 'ready' | 'refused'>;
  attempts: Generated<number>;
  lease_until: NullableTimestamp;
  /** When a worker last took it. */
  claimed_at: NullableTimestamp;
  /** It did not get done in the time that each file has at first. */
  takes_long: Generated<boolean>;
  pages: Generated<number | null>;
  /** Compared so far. */
  pages_done: Generated<number>;
  preview_path: Generated<string | null>;
  preview_sha256: Generated<string | null>;
  thumb_path: Generated<string | null>;
  pictures: ColumnType<number[], number[] | undefined, number[]>;
  picture_reasons: ColumnType<PictureReason[], PictureReason[] | undefined, PictureReason[]>;
  text_path: Generated<string | null>;
  /** Of a refused one: which of the refusals, and the text for people. */
  fault: Generated<string | null>;
  reason: Generated<string | null>;
  created_at: CreatedAt;
  expires_at: Timestamp;
};

export type VerificationsTable = {
  document_id: string;
  user_id: string;
  profile_pic: string;
  profile_pic_sha256: string;
  eye: string;
  eye_sha256: string;
  sign: string;
  sign_sha256: string;
  thumb: string | null;
  thumb_sha256: string | null;
  /** 64 zeros and ones that a copy of the photo has too; null where it shows nothing to know again. */
  profile_pic_likeness: string | null;
  eye_likeness: string | null;
  /** Parts of both likenesses, by which similar ones are looked up. */
  likeness_bands: ColumnType<string[], string[] | undefined, string[]>;
  /** What was noticed about the photos; it hinders nobody. */
  photo_hints: ColumnType<PhotoHint[], PhotoHint[] | undefined, PhotoHint[]>;
  profile_pic_source: ColumnType<StoredSource, PhotoSource | undefined, PhotoSource>;
  eye_source: ColumnType<StoredSource, PhotoSource | undefined, PhotoSource>;
  sign_method: ColumnType<SignMethod, SignMethod | undefined, SignMethod>;
  /** 0 to 100; null where nothing was compared. */
  eye_agreement: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: Timestamp;
};

export type DocumentEventsTable = {
  id: string;
  document_id: string;
  seq: Generated<number>;
  type: string;
  actor_id: string | null;
  detail: string;
  status_from: DocumentStatus | null;
  status_to: DocumentStatus;
  files_sha256: string;
  at: CreatedAt;
  /** Whom the line is about, when that is not the actor. */
  subject_id: Generated<string | null>;
  from_address: Generated<string | null>;
  from_device: Generated<string | null>;
  /** Of a verification: hashes and sources of its images. */
  photos: ColumnType<StoredPhotos | null, string | null | undefined, never>;
  /** Of a party who rejected or withdrew, in the own words; erased with the account. */
  reason: ColumnType<string | null, string | null | undefined, null>;
};

export type AttachmentsTable = {
  id: string;
  document_id: string;
  name: string;
  mime: string;
  size: number;
  sha256: string;
  path: string;
  created_at: CreatedAt;
};

export type FinalizationJobsTable = {
  document_id: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  attempts: number;
  /** Whose claim it is: grows with each one, and never begins anew. */
  fence: Generated<number>;
  lease_until: NullableTimestamp;
  detail: string | null;
  /** How far the running attempt is; null before it has begun. */
  progress: ColumnType<HowFar | null, string | null | undefined, string | null>;
  /** Counts every progress of every attempt: what is told carries it, a larger one is newer. */
  progress_no: Generated<number>;
  /** Of a failed one: why, for texts in the reader's language, and at which file. */
  fault_code: Generated<string | null>;
  fault_file: Generated<string | null>;
  requested_by: string;
  created_at: CreatedAt;
  updated_at: Timestamp;
};

export type PricingTable = {
  id: Generated<number>;
  daily_rate_paise: Bigint;
  author_id: string;
  author_name: string;
  created_at: CreatedAt;
};

export type PricingEditingTable = {
  id: Generated<number>;
  enabled: boolean;
  author_id: string;
  created_at: CreatedAt;
};

/** What is to be in the log, with the salt that opens its commitment; one row per sealed document. */
export type LogCommitmentsTable = {
  document_id: string;
  sha256: string;
  /** ISO 8601 as it is committed to: text, so that no precision is lost on the way. */
  sealed_at: string;
  salt: Buffer;
  /** Its place in the log; null until it has one. */
  entry_index: ColumnType<number | null, number | null | undefined, number>;
  /** When its inclusion in a signed checkpoint was verified. */
  confirmed_at: NullableTimestamp;
  queued_at: CreatedAt;
};

export type LogEntriesTable = { index: Bigint; data: Buffer; created_at: CreatedAt };
export type LogTilesTable = { level: number; index: Bigint; hashes: Buffer };
export type LogCheckpointsTable = { size: Bigint; root: Buffer; note: string; created_at: CreatedAt };
export type LogCosignaturesTable = { size: Bigint; witness: string; line: string; created_at: CreatedAt };
export type LogRestartsTable = { cut_size: Bigint; note: string; created_at: CreatedAt };
export type IdempotencyKeysTable = {
  user_id: string;
  key: string;
  request_sha256: string;
  answer: Json<unknown>;
  created_at: CreatedAt;
};

export type InvitationsTable = { user_id: string; at: Generated<Date> };
/** Who has invited as many people as one may within a day, and when the admins were told. */
export type InvitationFloodsTable = { user_id: string; told_at: Generated<Date> };

export type JoinMissesTable = { user_id: string; at: Generated<Date> };

export type NoticeKind = 'invited' | 'admitted' | 'reminder' | 'starts_soon' | 'withdrawn';

export type NoticesTable = {
  id: string;
  document_id: string;
  user_id: string;
  sender_id: string;
  kind: NoticeKind;
  once: string | null;
  language: NoticeLanguage | null;
  state: Generated<'queued' | 'sending' | 'sent' | 'skipped' | 'failed'>;
  reason: string | null;
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_until: NullableTimestamp;
  created_at: CreatedAt;
  ended_at: NullableTimestamp;
};

/** What a user's list is read from: one row per involved user, written with every change of the document. */
export type MyDocumentsTable = {
  user_id: string;
  document_id: string;
  status: DocumentStatus;
  waiting: boolean;
  name_key: string;
  search: string;
  /** The first 400 letters of `search`, which an index holds. */
  search_head: GeneratedAlways<string>;
  changed_at: Date;
};

/** Images that no verification names any more, to be erased. */
export type ForsakenImagesTable = { path: string; due_at: Timestamp; attempts: Generated<number> };

/** DER of a certificate that sealed and of those above it, each in base64. */
export type SealCertificatesTable = { fingerprint: string; chain: Json<string[]>; first_used_at: CreatedAt };

export type Database = {
  documents: DocumentsTable;
  parties: PartiesTable;
  approvals: ApprovalsTable;
  raw_files: RawFilesTable;
  uploads: UploadsTable;
  verifications: VerificationsTable;
  forsaken_images: ForsakenImagesTable;
  document_events: DocumentEventsTable;
  attachments: AttachmentsTable;
  finalization_jobs: FinalizationJobsTable;
  pricing: PricingTable;
  pricing_editing: PricingEditingTable;
  seal_certificates: SealCertificatesTable;
  log_commitments: LogCommitmentsTable;
  log_entries: LogEntriesTable;
  log_tiles: LogTilesTable;
  log_checkpoints: LogCheckpointsTable;
  log_cosignatures: LogCosignaturesTable;
  log_restarts: LogRestartsTable;
  idempotency_keys: IdempotencyKeysTable;
  join_misses: JoinMissesTable;
  invitations: InvitationsTable;
  invitation_floods: InvitationFloodsTable;
  notices: NoticesTable;
  notice_settings: { user_id: string; sms_notices: boolean };
  my_documents: MyDocumentsTable;
  directory: DirectoryTable;
};

/** The service's database, or a transaction on it. */
export type Db = Kysely<Database>;
