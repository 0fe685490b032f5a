/** Accounts of ours beside clearing and revenue, and moving money between them: kept as a text, as the ledger itself is. */

/** Money of disputed payments, out of the wallet until the bank has decided. */
export const HELD_ACCOUNT = '00000000-0000-7000-8000-000000000003';
/** What went back to cards beyond what a wallet held: below zero by what people owe us. */
export const SHORTFALL_ACCOUNT = '00000000-0000-7000-8000-000000000004';

export const SYSTEM_ACCOUNTS_SQL = `
ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check
  CHECK (kind IN ('user', 'clearing', 'revenue', 'held', 'shortfall'));
INSERT INTO accounts (id, kind) VALUES ('${HELD_ACCOUNT}', 'held'), ('${SHORTFALL_ACCOUNT}', 'shortfall');

-- Moves money between two accounts of ours, once per key. SQLSTATE KW001: the key was used with other parameters.
CREATE FUNCTION ledger_inside(
  p_key text, p_from uuid, p_to uuid, p_amount bigint, p_description text, p_reference text
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_known transfers%ROWTYPE;
  v_id uuid;
BEGIN
  INSERT INTO transfers (idempotency_key, from_account, to_account, amount_paise, description, reference,
                         balance_after_paise)
    VALUES (p_key, p_from, p_to, p_amount, p_description, p_reference, 0)
    ON CONFLICT (idempotency_key) DO NOTHING
    RETURNING id INTO v_id;
  IF v_id IS NULL THEN
    SELECT * INTO v_known FROM transfers t WHERE t.idempotency_key = p_key;
    IF v_known.from_account <> p_from OR v_known.to_account <> p_to OR v_known.amount_paise <> p_amount
       OR v_known.reference <> p_reference THEN
      RAISE EXCEPTION 'idempotency key used with other parameters' USING ERRCODE = 'KW001';
    END IF;
    RETURN v_known.id;
  END IF;
  INSERT INTO entries (transfer_id, account_id, amount_paise) VALUES (v_id, p_from, -p_amount), (v_id, p_to, p_amount);
  RETURN v_id;
END $$;
`;
