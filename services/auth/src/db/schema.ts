/** The auth database as kysely sees it; the migrations are its source. */
import type { Language } from '@karaar/contracts/limits';
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;

export type UsersTable = {
  id: string;
  char_id: string;
  name: string;
  email: string;
  phone_no: string;
  city: string;
  state: string;
  status: Generated<'active' | 'inactive'>;
  is_admin: Generated<boolean>;
  govt_id_type: string | null;
  govt_id_number: Buffer | null;
  govt_id_image: string | null;
  language: Language | null;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
};

export type SessionsTable = {
  id: string;
  subject_id: string;
  audience: 'user' | 'admin';
  created_at: CreatedAt;
  expires_at: Date;
  revoked_at: ColumnType<Date | null, never, Date>;
};

export type AdminsTable = {
  id: string;
  username: string;
  password_hash: string;
  role: 'super-admin' | 'support' | 'editor';
  failures: Generated<number>;
  locked_until: ColumnType<Date | null, never, Date | null>;
  created_at: CreatedAt;
};

export type Database = { users: UsersTable; sessions: SessionsTable; admins: AdminsTable };
