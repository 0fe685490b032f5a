import type { StepUpAct } from '@karaar/contracts/step-up';
import type { ColumnType } from 'kysely';
import type { Bigint, CreatedAt, Json, NullableTimestamp, Timestamp } from './columns.ts';

export type SigningKeysTable = {
  id: string;
  user_id: string;
  name: string;
  /** Base64url. */
  credential_id: string;
  /** COSE. */
  public_key: Buffer;
  counter: Bigint;
  transports: string[];
  synced: boolean;
  /** Of the face photo that was taken for the passkey. */
  photo_sha256: string;
  created_at: CreatedAt;
  last_used_at: NullableTimestamp;
};

/** Log entries about passkeys. `at` is text, exactly as in the commitment. */
export type SigningKeyEntriesTable = {
  id: string;
  key_id: string;
  action: 'added' | 'removed';
  /** Hex SHA-256 of the user's id. */
  user_tag: string;
  key_sha256: string;
  at: string;
  entry_index: ColumnType<number | null, number | null | undefined, number>;
};

export type SigningCeremoniesTable = {
  id: string;
  user_id: string;
  challenge: string;
  photo_sha256: string;
  expires_at: Timestamp;
};

export type SigningStatementsTable = {
  id: string;
  user_id: string;
  document_id: string;
  key_id: string;
  statement: string;
  expires_at: Timestamp;
};

export type StepUpStatementsTable = {
  id: string;
  user_id: string;
  act: Json<StepUpAct>;
  statement: string;
  expires_at: Timestamp;
};

export type StepUpGrantKeysTable = { kid: string; x: string; used_at: Timestamp };

/** The signature of an approval, with the key and the index of its enrolment in the log. */
export type ApprovalSignaturesTable = {
  approval_id: string;
  key_id: string;
  public_key: Buffer;
  client_data: Buffer;
  authenticator_data: Buffer;
  signature: Buffer;
  enrolled_at: string;
  enrolled_index: Bigint;
};
