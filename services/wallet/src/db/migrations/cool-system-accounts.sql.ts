/** What holds that an account exists, in the place of the foreign keys that locked it: kept as a text, as the ledger is. */
export const COOL_SYSTEM_ACCOUNTS_SQL = `
-- A foreign key locks the row it points to (FOR KEY SHARE) in every transaction. Of a system account that is the same row
-- for everybody: its lock is written anew by each transfer, as a list of all that hold it.
ALTER TABLE transfers DROP CONSTRAINT transfers_from_account_fkey;
ALTER TABLE transfers DROP CONSTRAINT transfers_to_account_fkey;
ALTER TABLE entries DROP CONSTRAINT entries_account_id_fkey;

-- An account that exists is there for ever and stays what it is, so that looking is enough, without a lock.
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_keep_their_names BEFORE UPDATE OF id, kind ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
REVOKE DELETE ON accounts FROM CURRENT_USER;

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
`;
