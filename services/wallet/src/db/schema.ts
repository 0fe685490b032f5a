/** The wallet database as kysely sees it; the migrations are its source. */
import type { ColumnType, Generated, Kysely, RawBuilder } from 'kysely';

/** int8 arrives as a number (db-kit checks that it is safe). */
type Bigint = ColumnType<number, number, number>;
type CreatedAt = ColumnType<Date, never, never>;

export type AccountsTable = {
  id: string;
  kind: 'user' | 'clearing' | 'revenue' | 'held' | 'shortfall';
  balance_paise: Bigint | null;
  version: Bigint;
  updated_at: Date;
};

export type TransfersTable = {
  id: string;
  idempotency_key: string;
  from_account: string;
  to_account: string;
  amount_paise: Bigint;
  description: string;
  reference: string;
  balance_after_paise: Bigint;
  created_at: CreatedAt;
};

export type EntriesTable = { transfer_id: string; account_id: string; amount_paise: Bigint };

export type TopUpOrdersTable = {
  id: string;
  user_id: string;
  amount_paise: Bigint;
  currency: string;
  status: 'created' | 'paid' | 'failed';
  payment_id: string | null;
  next_check_at: Date;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
};

export type RefundsTable = {
  id: string;
  idempotency_key: string;
  order_id: string;
  payment_id: string;
  user_id: string;
  amount_paise: Bigint;
  reason: string;
  admin_id: string;
  status: 'pending' | 'processed' | 'failed';
  /** The provider's name for it, once it has taken it. */
  provider_refund_id: string | null;
  next_check_at: Date;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
  /** How often a worker has taken it: the number says whose it is. */
  attempts: Generated<number>;
  lease_until: ColumnType<
    Date | null,
    Date | RawBuilder<Date> | null | undefined,
    Date | RawBuilder<Date> | null
  >;
  /** `provider`: in the provider's dashboard. */
  made_by: ColumnType<'us' | 'provider', 'us' | 'provider' | undefined, never>;
  /** The part that the wallet did not hold. */
  short_paise: ColumnType<number, number | undefined, never>;
};

/** Disputes of card payments, by the provider's name for each. */
export type DisputesTable = {
  id: string;
  order_id: string;
  payment_id: string;
  user_id: string;
  amount_paise: Bigint;
  held_paise: Bigint;
  status: 'open' | 'won' | 'lost';
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
};

/** Notices of the card provider that had their effect, by the provider's event id. */
export type WebhookNoticesTable = { event_id: string; received_at: CreatedAt };

export type Database = {
  accounts: AccountsTable;
  transfers: TransfersTable;
  entries: EntriesTable;
  top_up_orders: TopUpOrdersTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  webhook_notices: WebhookNoticesTable;
};

/** The service's database, or a transaction on it. */
export type Db = Kysely<Database>;
