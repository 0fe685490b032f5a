import type { AppendOnlyTables } from '@karaar/db';

export const appendOnlyTables: AppendOnlyTables = {
  accounts: { update: ['balance_paise', 'updated_at'] },
  entries: {},
  // The proof never changes; these columns record the latest check.
  ledger_periods: { update: ['read_at', 'sound'] },
  refusals: {},
  transfers: {},
};
