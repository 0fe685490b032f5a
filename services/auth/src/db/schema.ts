import type { AdminRole } from '@karaar/contracts/kit';
import type { Language } from '@karaar/contracts/limits';
import type { ColumnType, Generated, Kysely } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;
type NullableDate = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableBytes = ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;

export type UsersTable = {
  id: string;
  char_id: string;
  name: string;
  email: string;
  /** Null until the user has proved the address. */
  email_proved_at: NullableDate;
  phone_no: string;
  city: string;
  state: string;
  status: Generated<'active' | 'inactive'>;
  is_admin: Generated<boolean>;
  govt_id_type: string | null;
  govt_id_number: Buffer | null;
  govt_id_image: string | null;
  language: Language | null;
  /** The number that the account gets at `moves_at`, because the present number is lost. */
  moving_to: string | null;
  moves_at: NullableDate;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
};

export type SessionsTable = {
  id: string;
  subject_id: string;
  audience: 'user' | 'admin';
  device: string;
  network: string;
  created_at: CreatedAt;
  expires_at: Date;
  revoked_at: ColumnType<Date | null, never, Date>;
  /** The act that the session may perform once, before `confirmed_until`. */
  confirmed_act: string | null;
  confirmed_until: NullableDate;
};

export type AdminsTable = {
  id: string;
  username: string;
  password_hash: string;
  role: AdminRole;
  totp_secret: NullableBytes;
  totp_pending: NullableBytes;
  totp_last_step: Generated<number>;
  created_at: CreatedAt;
};

/** Failed sign-ins, one row per address and user name or admin. */
export type AdminAttemptsTable = {
  name_key: string;
  failures: number;
  locked_until: Date;
  updated_at: Generated<Date>;
};

export type AdminPasskeysTable = {
  id: string;
  admin_id: string;
  /** base64url */
  credential_id: string;
  public_key: Buffer;
  counter: ColumnType<string, number, number>;
  transports: string[];
  synced: boolean;
  name: string;
  created_at: CreatedAt;
  last_used_at: NullableDate;
};

export type PasskeyCeremoniesTable = {
  id: string;
  admin_id: string;
  purpose: 'use' | 'first' | 'recover' | 'add';
  /** base64url */
  challenge: string;
  expires_at: Date;
};

export type AdminAuditTable = {
  id: string;
  admin_id: string;
  action: string;
  target_id: string | null;
  target: Generated<string>;
  reason: string;
  at: ColumnType<Date, Date | undefined, never>;
};

export type SigningKeysTable = {
  kid: string;
  private_key: Buffer;
  created_at: CreatedAt;
  retired_at: NullableDate;
};

export type Database = {
  users: UsersTable;
  sessions: SessionsTable;
  admins: AdminsTable;
  admin_recovery_codes: { admin_id: string; digest: string };
  admin_attempts: AdminAttemptsTable;
  admin_places: { admin_id: string; place_key: string; seen_at: Generated<Date> };
  admin_passkeys: AdminPasskeysTable;
  passkey_ceremonies: PasskeyCeremoniesTable;
  admin_audit: AdminAuditTable;
  signing_keys: SigningKeysTable;
  contact_proofs: { proof_hash: string; invitation_id: string; contact_key: string; expires_at: Date };
  otp_challenges: { key: string; digest: string; tries: Generated<number>; expires_at: Date };
  otp_sends: {
    id: string;
    phone_key: string;
    at: Date;
    key: string;
    asker: string;
    room: string;
    digest: string | null;
    tries: Generated<number>;
    texted: boolean;
  };
  known_browsers: { key: string; user_id: string; seen_at: Generated<Date> };
  limit_counts: { name: string; bucket: Date; count: number };
  used_step_ups: { id: string; expires_at: Date };
  shared_documents: { document_id: string; people: string[]; version: number };
  deleted_users: { id: string; char_id: string; deleted_at: CreatedAt; blobs_erased_at: NullableDate };
};

export type Db = Kysely<Database>;
