import type { KeptTables } from '@karaar/platform/db-kit';

/** Append-only tables, with the columns that the service may still change. */
export const keptTables: KeptTables = {
  // The id and kind of an account never change.
  accounts: { update: ['balance_paise', 'version', 'updated_at'] },
  entries: {},
  // The proof never changes; these columns record the latest check.
  ledger_months: { update: ['read_at', 'sound'] },
  refusals: {},
  transfers: {},
};
