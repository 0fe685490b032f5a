import type { ExceptionKind, ExceptionState, Resolution } from '@karaar/contracts/wallet/exceptions';
import type { ColumnType, Generated, Kysely, RawBuilder } from 'kysely';

/** int8 arrives as a number (db-kit checks that it is safe). */
type Bigint = ColumnType<number, number, number>;
type Defaulted = ColumnType<number, number | undefined, number>;
type CreatedAt = ColumnType<Date, never, never>;
/** The time when a comparison last found the same amount at the provider; null until then. */
type ComparedAt = ColumnType<Date | null, never, Date | RawBuilder<Date>>;

export type AccountsTable = {
  id: string;
  kind:
    | 'user'
    | 'clearing'
    | 'revenue'
    | 'held'
    | 'shortfall'
    | 'suspense'
    | 'adjustments'
    | 'card_fees'
    | 'given_up';
  balance_paise: Bigint | null;
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
  /** When the checkout returned a signed payment that was not captured or confirmed yet. */
  answered_at: ColumnType<Date | null, never, Date>;
  compared_at: ComparedAt;
  fee_paise: Defaulted;
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
  /** The provider's id of the refund, once the provider has accepted it. */
  provider_refund_id: string | null;
  next_check_at: Date;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, never, Date>;
  /** How often a worker has claimed it; a worker holds the claim while the number is unchanged. */
  attempts: Generated<number>;
  lease_until: ColumnType<
    Date | null,
    Date | RawBuilder<Date> | null | undefined,
    Date | RawBuilder<Date> | null
  >;
  /** `provider`: made in the provider's dashboard. */
  made_by: ColumnType<'us' | 'provider', 'us' | 'provider' | undefined, never>;
  short_paise: ColumnType<number, number | undefined, never>;
  compared_at: ComparedAt;
  /** The part that was paid on top for the provider's fee: it was never in the wallet. */
  fee_paise: ColumnType<number, number | undefined, never>;
};

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
  compared_at: ComparedAt;
  fee_paise: Bigint;
};

/** Webhooks that were applied, by the provider's event id. */
export type WebhookDeliveriesTable = { event_id: string; received_at: CreatedAt };

/** Differences between the provider's books and ours (ADR 0065). The only personal data is the user id. */
export type PaymentExceptionsTable = {
  id: string;
  kind: ExceptionKind;
  subject: string;
  cause: string;
  payment_id: string | null;
  order_id: string | null;
  user_id: string | null;
  amount_paise: Bigint;
  booked_paise: Bigint;
  since: CreatedAt;
  seen_at: Generated<Date>;
  state: Generated<ExceptionState>;
  version: Generated<number>;
  resolution: Resolution | 'settled_itself' | null;
  reason: string | null;
  credit_user_id: string | null;
  proposed_by: string | null;
  proposed_at: Date | null;
  confirmed_by: string | null;
  resolved_at: Date | null;
  refund_state: 'asked' | 'done' | null;
  provider_refund_id: string | null;
  next_check_at: Generated<Date>;
  attempts: Generated<number>;
  lease_until: ColumnType<Date | null, undefined, Date | RawBuilder<Date> | null>;
};

/** One row: the schedule and lease of the comparison, and the counts of the last complete run. */
export type ReconciliationTable = {
  id: number;
  next_at: ColumnType<Date, never, Date | RawBuilder<Date>>;
  lease_until: ColumnType<Date | null, never, Date | RawBuilder<Date> | null>;
  attempts: number;
  last_began_at: Date | null;
  last_complete_at: ColumnType<Date | null, never, Date | RawBuilder<Date>>;
  last_failed_at: ColumnType<Date | null, never, Date | RawBuilder<Date>>;
  payments: number;
  refunds: number;
  disputes: number;
  settlements: number;
};

/** A ledger period that has ended, with its proved totals (ADR 0070). */
export type LedgerPeriodsTable = {
  month: string;
  lower_id: string;
  upper_id: string;
  transfers: Bigint;
  entries: Bigint;
  moved_paise: string;
  digest: string;
  sums_digest: string;
  closed_at: CreatedAt;
  read_at: ColumnType<Date, never, Date | RawBuilder<Date>>;
  sound: ColumnType<boolean, never, boolean>;
};

export type LedgerAccountSumsTable = { account_id: string; paise: string };

/** One row: the schedule and lease of the proof, and the results of the last ones. */
export type LedgerProofTable = {
  id: number;
  next_at: ColumnType<Date, never, Date | RawBuilder<Date>>;
  lease_until: ColumnType<Date | null, never, Date | RawBuilder<Date> | null>;
  attempts: number;
  checked_at: ColumnType<Date, never, Date | RawBuilder<Date>>;
  faults: number;
  whole_at: ColumnType<Date, never, Date | RawBuilder<Date>>;
  whole_faults: number;
};

export type Database = {
  accounts: AccountsTable;
  transfers: TransfersTable;
  entries: EntriesTable;
  top_up_orders: TopUpOrdersTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  payment_exceptions: PaymentExceptionsTable;
  reconciliation: ReconciliationTable;
  ledger_periods: LedgerPeriodsTable;
  ledger_account_sums: LedgerAccountSumsTable;
  ledger_proof: LedgerProofTable;
};

export type Db = Kysely<Database>;
