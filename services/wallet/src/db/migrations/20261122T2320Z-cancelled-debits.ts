import { sql, type Kysely } from 'kysely';

/**
 * Refuses a debit's key for ever, unless the debit has happened: then its transfer is answered. Behind the lock of the
 * user's account, as `ledger_transfer` looks both up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    CREATE FUNCTION ledger_refuse(p_key text, p_user uuid, p_amount bigint) RETURNS uuid LANGUAGE plpgsql AS $$
    DECLARE
      v_known transfers%ROWTYPE;
      v_refused refusals%ROWTYPE;
      v_balance bigint;
    BEGIN
      INSERT INTO accounts (id, kind, balance_paise) VALUES (p_user, 'user', 0) ON CONFLICT (id) DO NOTHING;
      SELECT a.balance_paise INTO v_balance FROM accounts a WHERE a.id = p_user FOR UPDATE;
      SELECT * INTO v_known FROM transfers t WHERE t.idempotency_key = p_key;
      IF v_known.id IS NOT NULL THEN
        IF v_known.from_account <> p_user OR v_known.amount_paise <> p_amount THEN
          RAISE EXCEPTION 'idempotency key used with other parameters' USING ERRCODE = 'KW001';
        END IF;
        RETURN v_known.id;
      END IF;
      INSERT INTO refusals (idempotency_key, user_account, amount_paise, available_paise)
        VALUES (p_key, p_user, p_amount, v_balance) ON CONFLICT (idempotency_key) DO NOTHING;
      SELECT * INTO v_refused FROM refusals r WHERE r.idempotency_key = p_key;
      IF v_refused.user_account <> p_user OR v_refused.amount_paise <> p_amount THEN
        RAISE EXCEPTION 'idempotency key used with other parameters' USING ERRCODE = 'KW001';
      END IF;
      RETURN NULL;
    END $$`,
    )
    .execute(db);
}
