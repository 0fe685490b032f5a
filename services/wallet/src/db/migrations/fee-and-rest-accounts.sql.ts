/** Accounts for what payers bear on top of a top-up, and for rests that people give up: kept as a text, as the ledger itself is. */

/** Fees of the card provider that payers paid on top of their orders, less what went back to their cards. */
export const CARD_FEES_ACCOUNT = '00000000-0000-7000-8000-000000000007';
/** Rests of wallets below the provider's smallest refund, given up by their owners. */
export const GIVEN_UP_ACCOUNT = '00000000-0000-7000-8000-000000000008';

export const FEE_AND_REST_ACCOUNTS_SQL = `
ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check
  CHECK (kind IN ('user', 'clearing', 'revenue', 'held', 'shortfall', 'suspense', 'adjustments', 'card_fees', 'given_up'))
  NOT VALID;
INSERT INTO accounts (id, kind) VALUES ('${CARD_FEES_ACCOUNT}', 'card_fees'), ('${GIVEN_UP_ACCOUNT}', 'given_up');
`;
