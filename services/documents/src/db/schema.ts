/** The documents database as kysely sees it; the migrations are its source. */
import type { DocumentStatus } from '@karaar/contracts/documents/http';
import type { DirectoryTable } from '@karaar/platform/directory';
import type { ColumnType, Generated } from 'kysely';
import type { PartyState } from '../features/agreements/agreement.ts';

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
  version: number;
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
  lease_until: NullableTimestamp;
  detail: string | null;
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

export type Database = {
  documents: DocumentsTable;
  parties: PartiesTable;
  raw_files: RawFilesTable;
  verifications: VerificationsTable;
  document_events: DocumentEventsTable;
  attachments: AttachmentsTable;
  finalization_jobs: FinalizationJobsTable;
  pricing: PricingTable;
  pricing_editing: PricingEditingTable;
  log_commitments: LogCommitmentsTable;
  log_entries: LogEntriesTable;
  log_tiles: LogTilesTable;
  log_checkpoints: LogCheckpointsTable;
  log_cosignatures: LogCosignaturesTable;
  directory: DirectoryTable;
};
