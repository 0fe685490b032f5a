/** The database types for kysely. The migrations are the source. */
import type {
  DocumentStatus,
  FaceBox,
  FinalizationProgress,
  LeftOut,
  NoticeLanguage,
  PartyState,
  PhotoHint,
  PhotoSource,
  PhotosRecord,
  PictureReason,
  ReminderRhythm,
  SignMethod,
} from '@karaar/contracts/documents/http';
import type { LawWords } from '@karaar/contracts/cms/law';
import type { DirectoryTable } from '@karaar/bus/directory';
import type { SmsReport } from '@karaar/sms';
import type { ColumnType, Generated, GeneratedAlways, Kysely, RawBuilder } from 'kysely';
import type { Bigint, CreatedAt, Json, NullableTimestamp, Timestamp } from './columns.ts';
import type { ContactStopsTable, InvitationLinksTable, OpenInvitationsTable } from './invitation-tables.ts';
import type {
  ApprovalSignaturesTable,
  SigningCeremoniesTable,
  SigningKeyEntriesTable,
  SigningKeysTable,
  SigningStatementsTable,
  StepUpGrantKeysTable,
  StepUpStatementsTable,
} from './signing-tables.ts';

export type FinalPageCounts = { agreement: number; raw: number; signatures: number; certificate: number };

export type DocumentsTable = {
  id: string;
  document_code: string;
  name: string;
  location: string | null;
  /** `YYYY-MM-DD` as text: a calendar day in India, without a time zone. */
  start_date: string | null;
  end_date: string | null;
  description: string | null;
  page_details: Json<{ page_no: number; description: string }[]>;
  status: DocumentStatus;
  primary_user: string;
  finalizing: Generated<boolean>;
  cancelled: Generated<boolean>;
  cancel_late: Generated<boolean>;
  blockchain: Generated<boolean>;
  daily_rate_paise: Bigint;
  paid: Generated<boolean>;
  /** Version of the newest payment event that set `paid`; 0 before the first. */
  charge_number: Generated<number>;
  version: number;
  /** Grows with changes of files and terms only. */
  content_version: Generated<number>;
  /** In a draft: the users whom its owner wants to invite after submitting. */
  target_char_id: Generated<string | null>;
  changed_at: Generated<Date>;
  reminders: Generated<ReminderRhythm>;
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
  approved_files_sha256: string | null;
  verified: boolean;
  /** The language that the primary user chose for messages to this party. */
  notice_language: Generated<NoticeLanguage | null>;
  reject_reason: Generated<string | null>;
  /** `YYYY-MM-DD` in India: the day by which the creator asks this party to answer. */
  answer_by: Generated<string | null>;
};

/** Every approval, including withdrawn ones; `parties` shows the approval in force. */
export type ApprovalsTable = {
  id: string;
  document_id: string;
  user_id: string;
  approved_at: ColumnType<Date, Date, never>;
  /** Hex SHA-256 of the content that the server would have shown at that time. */
  content_hash: ColumnType<string, string, never>;
  /** Canonical JSON of an ApprovalStatement (`@karaar/proof/approval/approval`). */
  statement: ColumnType<string, string, never>;
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
  pages: number;
  thumb_path: string;
  /** The pages that will be sealed, as a PDF: the parties read this before they approve. */
  preview_path: string;
  preview_sha256: string;
  /** Numbers, from 1, of the pages that are pictures. */
  pictures: ColumnType<number[], number[] | undefined, number[]>;
  picture_reasons: ColumnType<PictureReason[], PictureReason[] | undefined, PictureReason[]>;
  pictures_accepted_at: ColumnType<Date | null, Date | RawBuilder<Date> | null | undefined, RawBuilder<Date>>;
  /** Parts of the file that its pages do not contain. */
  left_out: ColumnType<LeftOut[], LeftOut[] | undefined, LeftOut[]>;
  left_out_accepted_at: ColumnType<Date | null, Date | RawBuilder<Date> | null | undefined, RawBuilder<Date>>;
  /** The text of the pages, as JSON (`FileText`). */
  text_path: string;
};

/** Early uploads: files sent before their form. */
export type UploadsTable = Pick<RawFilesTable, 'name' | 'kind' | 'mime' | 'size' | 'sha256' | 'path'> & {
  id: string;
  user_id: string;
  state: Generated<'checking' | 'ready' | 'refused'>;
  attempts: Generated<number>;
  lease_until: NullableTimestamp;
  claimed_at: NullableTimestamp;
  /** True if the first time slot was too short. */
  takes_long: Generated<boolean>;
  pages: Generated<number | null>;
  pages_done: Generated<number>;
  preview_path: Generated<string | null>;
  preview_sha256: Generated<string | null>;
  thumb_path: Generated<string | null>;
  pictures: ColumnType<number[], number[] | undefined, number[]>;
  picture_reasons: ColumnType<PictureReason[], PictureReason[] | undefined, PictureReason[]>;
  left_out: ColumnType<LeftOut[], LeftOut[] | undefined, LeftOut[]>;
  text_path: Generated<string | null>;
  /** Of a refused file: the code and the text of the refusal. */
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
  /** The perceptual hash as 64 zeros and ones; null for a picture without content. */
  profile_pic_likeness: string | null;
  eye_likeness: string | null;
  /** The face that vision found on the profile photo; null if vision returned no box. */
  face_box: ColumnType<FaceBox | null, string | null | undefined, string | null>;
  /** Parts of both hashes, the index for similar photos. */
  likeness_bands: ColumnType<string[], string[] | undefined, string[]>;
  /** Findings about the photos; they never lead to a refusal. */
  photo_hints: ColumnType<PhotoHint[], PhotoHint[] | undefined, PhotoHint[]>;
  profile_pic_source: ColumnType<PhotoSource, PhotoSource | undefined, PhotoSource>;
  eye_source: ColumnType<PhotoSource, PhotoSource | undefined, PhotoSource>;
  sign_method: ColumnType<SignMethod, SignMethod | undefined, SignMethod>;
  /** Similarity of the eyes on both photos, 0 to 100; null without a comparison. */
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
  /** The user whom the line is about, if not the actor. */
  subject_id: Generated<string | null>;
  from_address: Generated<string | null>;
  from_device: Generated<string | null>;
  /** Of a verification: hashes and sources of its images. */
  photos: ColumnType<PhotosRecord | null, string | null | undefined, never>;
  /** In the party's own words; erased with the account. */
  reason: ColumnType<string | null, string | null | undefined, null>;
};

/** The names under which a user acted in a document, the newest last. */
export type PartyNamesTable = { document_id: string; user_id: string; at: Generated<Date>; name: string };

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
  /** The number of the newest claim; grows with each claim. */
  fence: Generated<number>;
  lease_until: NullableTimestamp;
  detail: string | null;
  /** The progress of the running attempt; null before it has started. */
  progress: ColumnType<Omit<FinalizationProgress, 'no'> | null, string | null | undefined, string | null>;
  /** Counts all progress reports of all attempts. Events carry it: a larger number is newer. */
  progress_no: Generated<number>;
  /** Of a failed job: the code of the reason, for texts in the reader's language, and the file at fault. */
  fault_code: Generated<string | null>;
  fault_file: Generated<string | null>;
  /** The words about the law that the certificate shows. */
  law: ColumnType<LawWords, string, string>;
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

/** The log's commitments with their salts; one row per sealed document. */
export type LogCommitmentsTable = {
  document_id: string;
  sha256: string;
  /** ISO 8601 exactly as in the commitment: a timestamp column would lose precision. */
  sealed_at: string;
  salt: Buffer;
  /** The index of the log entry; null until the log has the entry. */
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
/** Users who reached the daily limit of invitations, and when Karaar reported them to the admins. */
export type InvitationFloodsTable = { user_id: string; told_at: Generated<Date> };

/** Messages of the last day to a contact, with or without an account. */
export type ContactMessagesTable = { contact_hash: string; at: CreatedAt };

export type CourtPacksTable = {
  id: string;
  document_id: string;
  user_id: string;
  reason: string;
  created_at: CreatedAt;
};

export type JoinMissesTable = { user_id: string; at: Generated<Date> };

export type TextMessageKind = 'invited' | 'admitted' | 'reminder' | 'starts_soon' | 'withdrawn';

export type TextMessagesTable = {
  id: string;
  document_id: string;
  user_id: string;
  sender_id: string;
  kind: TextMessageKind;
  once: string | null;
  language: NoticeLanguage | null;
  state: Generated<'queued' | 'sending' | 'sent' | 'skipped' | 'failed'>;
  reason: string | null;
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_until: NullableTimestamp;
  created_at: CreatedAt;
  ended_at: NullableTimestamp;
  /** The carrier's report; null before it. */
  delivery: Generated<SmsReport | null>;
  reported_at: NullableTimestamp;
};

/** The source of the users' lists: one row per involved user, written with every change of the document. */
export type MyDocumentsTable = {
  user_id: string;
  document_id: string;
  status: DocumentStatus;
  waiting: boolean;
  name_key: string;
  search: string;
  search_head: GeneratedAlways<string>;
  changed_at: Date;
  archived: Generated<boolean>;
};

/** A user's own label on a document; it goes with the row of the user's list. */
export type DocumentLabelsTable = { user_id: string; document_id: string; name: string };

/** Images that no verification references any more, to be erased. */
export type OrphanedImagesTable = { path: string; due_at: Timestamp; attempts: Generated<number> };

/** A sealing certificate and its chain in DER, each in base64. */
export type SealCertificatesTable = { fingerprint: string; chain: Json<string[]>; first_used_at: CreatedAt };

export type Database = {
  documents: DocumentsTable;
  parties: PartiesTable;
  approvals: ApprovalsTable;
  raw_files: RawFilesTable;
  uploads: UploadsTable;
  verifications: VerificationsTable;
  orphaned_images: OrphanedImagesTable;
  document_events: DocumentEventsTable;
  party_names: PartyNamesTable;
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
  court_packs: CourtPacksTable;
  join_misses: JoinMissesTable;
  invitations: InvitationsTable;
  invitation_floods: InvitationFloodsTable;
  open_invitations: OpenInvitationsTable;
  invitation_links: InvitationLinksTable;
  contact_stops: ContactStopsTable;
  contact_messages: ContactMessagesTable;
  expiry_tellings: { document_id: string; told_at: CreatedAt };
  text_messages: TextMessagesTable;
  text_message_settings: { user_id: string; sms_notices: boolean };
  my_documents: MyDocumentsTable;
  document_labels: DocumentLabelsTable;
  directory: DirectoryTable;
  signing_keys: SigningKeysTable;
  signing_key_entries: SigningKeyEntriesTable;
  signing_ceremonies: SigningCeremoniesTable;
  signing_statements: SigningStatementsTable;
  step_up_statements: StepUpStatementsTable;
  step_up_grant_keys: StepUpGrantKeysTable;
  approval_signatures: ApprovalSignaturesTable;
};

export type Db = Kysely<Database>;
