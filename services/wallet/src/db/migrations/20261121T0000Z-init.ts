import { busTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';
import { LEDGER_SQL } from './ledger.sql.ts';

/** The wallet database: the ledger and top-up orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await sql.raw(LEDGER_SQL).execute(db);
  await sql`
    CREATE TABLE top_up_orders (
      id text PRIMARY KEY,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      currency text NOT NULL,
      status text NOT NULL CHECK (status IN ('created', 'paid', 'failed')),
      payment_id text UNIQUE,
      next_check_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((status = 'paid') = (payment_id IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX top_up_orders_open ON top_up_orders (next_check_at) WHERE status <> 'paid'`.execute(
    db,
  );
}
