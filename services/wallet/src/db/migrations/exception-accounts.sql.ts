/** Accounts for money at the card provider that no wallet accounts for: kept as a text, as the ledger itself is. */

/** What the provider has of ours, or took from us, until two admins have decided whose it is. */
export const SUSPENSE_ACCOUNT = '00000000-0000-7000-8000-000000000005';
/** What was decided without a wallet or a card: written off, or settled outside this ledger. */
export const ADJUSTMENTS_ACCOUNT = '00000000-0000-7000-8000-000000000006';

export const EXCEPTION_ACCOUNTS_SQL = `
ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check
  CHECK (kind IN ('user', 'clearing', 'revenue', 'held', 'shortfall', 'suspense', 'adjustments'));
INSERT INTO accounts (id, kind) VALUES ('${SUSPENSE_ACCOUNT}', 'suspense'), ('${ADJUSTMENTS_ACCOUNT}', 'adjustments');
`;
