import type { ReversalState } from '@karaar/contracts/payments/http';
import type { DirectoryTable } from '@karaar/bus/directory';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** int8 arrives as a number (db-kit checks that it is safe). */
type Bigint = ColumnType<number, number, number>;
type CreatedAt = ColumnType<Date, never, never>;

export type DistributionsTable = {
  document_id: string;
  document_name: string;
  total_paise: Bigint;
  duration_days: number;
  created_by: string;
  /** The version of the document whose parties have the shares. */
  document_version: number;
  created_at: CreatedAt;
};

/** Documents that a party has left or wants to leave. Snapshots of this version or an older one are stale. */
export type ChargeStopsTable = { document_id: string; version: number };

export type SharesTable = {
  document_id: string;
  user_id: string;
  position: number;
  /** numeric arrives as text. */
  percentage: ColumnType<string, number | string, number | string>;
  amount_paise: Bigint;
  /** The amount before its last change. */
  before_paise: ColumnType<number | null, number | null, never>;
};

export type PaymentsTable = {
  id: string;
  document_id: string;
  document_name: string;
  user_id: string;
  amount_paise: Bigint;
  status: 'pending' | 'completed' | 'failed' | 'reversed';
  started_at: ColumnType<Date | null, null | undefined, Date>;
  transfer_id: ColumnType<string | null, null | undefined, string>;
  version: Generated<number>;
  created_at: CreatedAt;
  completed_at: ColumnType<Date | null, null | undefined, Date>;
};

export type ReversalsTable = {
  id: string;
  payment_id: string;
  user_id: string;
  amount_paise: Bigint;
  reason: string;
  two_people: boolean;
  state: ReversalState;
  requested_by: string;
  requested_by_name: string;
  requested_at: CreatedAt;
  confirmed_by: ColumnType<string | null, never, string>;
  confirmed_by_name: ColumnType<string | null, never, string>;
  declined_by: ColumnType<string | null, never, string>;
  declined_by_name: ColumnType<string | null, never, string>;
  decline_reason: ColumnType<string | null, never, string>;
  decided_at: ColumnType<Date | null, Date | null, Date>;
  transfer_id: ColumnType<string | null, never, string>;
  done_at: ColumnType<Date | null, never, Date>;
};

export type CardMovementsTable = {
  id: string;
  reference: string;
  type: 'top_up' | 'refund';
  order_id: string;
  payment_id: string | null;
  user_id: string;
  amount_paise: Bigint;
  status: 'pending' | 'completed' | 'failed';
  version: number;
  created_at: Date;
  /**
   * For a top-up: paid on top of the amount for the provider's fee. For a refund: the part of the amount that
   * was paid for the fee.
   */
  fee_paise: Bigint;
};

export type Database = {
  distributions: DistributionsTable;
  shares: SharesTable;
  payments: PaymentsTable;
  charge_stops: ChargeStopsTable;
  reversals: ReversalsTable;
  card_movements: CardMovementsTable;
  directory: DirectoryTable;
  used_step_ups: { id: string; expires_at: Date };
};

export type Db = Kysely<Database>;
