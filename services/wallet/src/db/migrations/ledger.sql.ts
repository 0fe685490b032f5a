/**
 * The ledger as SQL, in one text: the migration and `bench/ledger` run the same.
 * Double entry in integer paise. A user's balance is stored and checked against the entries. The balances of
 * the system accounts are derived, so that transfers do not contend for their rows.
 */
export const CLEARING_ACCOUNT = '00000000-0000-7000-8000-000000000001';
export const REVENUE_ACCOUNT = '00000000-0000-7000-8000-000000000002';
/** Money of disputed payments, until the bank has decided. */
export const HELD_ACCOUNT = '00000000-0000-7000-8000-000000000003';
/** Money that went back to cards although the wallet no longer held it: negative by what users owe us. */
export const SHORTFALL_ACCOUNT = '00000000-0000-7000-8000-000000000004';
/** Money that the provider holds or took without a match in our books, until two admins decide. */
export const SUSPENSE_ACCOUNT = '00000000-0000-7000-8000-000000000005';
/** Money that admins wrote off or settled outside this ledger. */
export const ADJUSTMENTS_ACCOUNT = '00000000-0000-7000-8000-000000000006';
/** Fees of the card provider that payers paid on top of their orders, minus those refunded to their cards. */
export const CARD_FEES_ACCOUNT = '00000000-0000-7000-8000-000000000007';
/** Rests of wallets below the provider's smallest refund, given up by their owners. */
export const GIVEN_UP_ACCOUNT = '00000000-0000-7000-8000-000000000008';

export const LEDGER_SQL = `
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('user', 'clearing', 'revenue', 'held', 'shortfall', 'suspense', 'adjustments',
    'card_fees', 'given_up')),
  -- Stored for users only; derived for system accounts.
  balance_paise bigint CHECK (balance_paise >= 0),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'user') = (balance_paise IS NOT NULL))
);
INSERT INTO accounts (id, kind) VALUES
  ('${CLEARING_ACCOUNT}', 'clearing'), ('${REVENUE_ACCOUNT}', 'revenue'),
  ('${HELD_ACCOUNT}', 'held'), ('${SHORTFALL_ACCOUNT}', 'shortfall'),
  ('${SUSPENSE_ACCOUNT}', 'suspense'), ('${ADJUSTMENTS_ACCOUNT}', 'adjustments'),
  ('${CARD_FEES_ACCOUNT}', 'card_fees'), ('${GIVEN_UP_ACCOUNT}', 'given_up');

-- A trigger checks that both accounts exist. With a foreign key every transfer would lock the same row of a system account
-- (ADR 0060).
CREATE TABLE transfers (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  idempotency_key text NOT NULL UNIQUE,
  from_account uuid NOT NULL,
  to_account uuid NOT NULL,
  amount_paise bigint NOT NULL CHECK (amount_paise > 0),
  description text NOT NULL,
  reference text NOT NULL,
  -- The user's balance right after it: a repeated call returns this answer.
  balance_after_paise bigint NOT NULL,
  -- Not now(), which is the start of the transaction: the order of starts can differ from the order of the row lock.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (from_account <> to_account)
);

-- A debit that was refused for its balance: the same key is refused forever, so that a retry which races
-- with a top-up cannot charge for something that its caller has given up.
CREATE TABLE refusals (
  idempotency_key text PRIMARY KEY,
  user_account uuid NOT NULL REFERENCES accounts,
  amount_paise bigint NOT NULL,
  available_paise bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE entries (
  transfer_id uuid NOT NULL REFERENCES transfers,
  account_id uuid NOT NULL,
  amount_paise bigint NOT NULL CHECK (amount_paise <> 0),
  PRIMARY KEY (account_id, transfer_id)
) PARTITION BY RANGE (transfer_id);
CREATE INDEX entries_by_transfer ON entries (transfer_id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refusals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refusals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Accounts are never deleted and never change their kind, so that a check of their existence needs no lock.
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_keep_their_names BEFORE UPDATE OF id, kind ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION transfer_accounts_exist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM accounts a WHERE a.id IN (NEW.from_account, NEW.to_account)) <> 2 THEN
    RAISE EXCEPTION 'an account of transfer % does not exist', NEW.id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfers_between_accounts BEFORE INSERT ON transfers
  FOR EACH ROW EXECUTE FUNCTION transfer_accounts_exist();

CREATE FUNCTION entry_account_exists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM accounts a WHERE a.id = NEW.account_id) THEN
    RAISE EXCEPTION 'the account of an entry of transfer % does not exist', NEW.transfer_id
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entries_of_accounts BEFORE INSERT ON entries
  FOR EACH ROW EXECUTE FUNCTION entry_account_exists();

-- One cached plan suits every transfer.
CREATE FUNCTION entries_balance() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF (SELECT sum(amount_paise) FROM entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'the entries of transfer % do not sum to zero', NEW.transfer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER entries_sum_to_zero AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION entries_balance();

-- The triggers refuse changes even by a role with the right. UPDATE (id) on transfers
-- stays, because the foreign key of entries needs it to lock the row.
REVOKE UPDATE, DELETE ON transfers, entries, refusals FROM CURRENT_USER;
GRANT UPDATE (id) ON transfers TO CURRENT_USER;
REVOKE DELETE ON accounts FROM CURRENT_USER;

-- Moves money once per key, in one round trip: transfer, two entries and the user's balance. SQLSTATE KW001: the
-- key was used with other parameters. If the balance is too small, nothing moves, and the function returns refused with
-- the balance.
CREATE FUNCTION ledger_transfer(
  p_key text, p_user uuid, p_direction text, p_system uuid, p_amount bigint, p_description text, p_reference text
) RETURNS TABLE (transfer_id uuid, balance_paise bigint, replayed boolean, refused boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_from uuid := CASE p_direction WHEN 'credit' THEN p_system ELSE p_user END;
  v_to uuid := CASE p_direction WHEN 'credit' THEN p_user ELSE p_system END;
  v_signed bigint := CASE p_direction WHEN 'credit' THEN p_amount ELSE -p_amount END;
  v_known transfers%ROWTYPE;
  v_refused refusals%ROWTYPE;
  v_balance bigint;
  v_id uuid;
BEGIN
  SELECT * INTO v_known FROM transfers t WHERE t.idempotency_key = p_key;
  IF NOT FOUND THEN
    INSERT INTO accounts (id, kind, balance_paise) VALUES (p_user, 'user', 0) ON CONFLICT (id) DO NOTHING;
    -- The row lock orders all transfers of one user, so the key is looked up again under it.
    SELECT a.balance_paise INTO v_balance FROM accounts a WHERE a.id = p_user FOR UPDATE;
    SELECT * INTO v_known FROM transfers t WHERE t.idempotency_key = p_key;
  END IF;
  IF v_known.id IS NOT NULL THEN
    IF v_known.from_account <> v_from OR v_known.to_account <> v_to OR v_known.amount_paise <> p_amount
       OR v_known.reference <> p_reference THEN
      RAISE EXCEPTION 'idempotency key used with other parameters' USING ERRCODE = 'KW001';
    END IF;
    RETURN QUERY SELECT v_known.id, v_known.balance_after_paise, true, false;
    RETURN;
  END IF;
  SELECT * INTO v_refused FROM refusals r WHERE r.idempotency_key = p_key;
  IF v_refused.idempotency_key IS NOT NULL THEN
    IF v_refused.user_account <> p_user OR v_refused.amount_paise <> p_amount THEN
      RAISE EXCEPTION 'idempotency key used with other parameters' USING ERRCODE = 'KW001';
    END IF;
    RETURN QUERY SELECT NULL::uuid, v_refused.available_paise, true, true;
    RETURN;
  END IF;
  IF v_balance + v_signed < 0 THEN
    INSERT INTO refusals (idempotency_key, user_account, amount_paise, available_paise)
      VALUES (p_key, p_user, p_amount, v_balance);
    RETURN QUERY SELECT NULL::uuid, v_balance, false, true;
    RETURN;
  END IF;
  UPDATE accounts a SET balance_paise = a.balance_paise + v_signed, updated_at = clock_timestamp()
    WHERE a.id = p_user RETURNING a.balance_paise INTO v_balance;
  INSERT INTO transfers (idempotency_key, from_account, to_account, amount_paise, description, reference,
                         balance_after_paise)
    VALUES (p_key, v_from, v_to, p_amount, p_description, p_reference, v_balance)
    RETURNING id INTO v_id;
  INSERT INTO entries (transfer_id, account_id, amount_paise) VALUES (v_id, v_from, -p_amount), (v_id, v_to, p_amount);
  RETURN QUERY SELECT v_id, v_balance, false, false;
END $$;

-- Moves money between two system accounts, once per key. SQLSTATE KW001: the key was used with other parameters.
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

-- Refuses a debit's key forever, or returns the transfer if the debit has happened. It takes the lock of the user's
-- account, under which ledger_transfer reads both tables.
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
END $$;
`;
