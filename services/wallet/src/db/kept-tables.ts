import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables whose rows the service may add and not change, and what it may change in them after all. */
export const keptTables: KeptTables = {
  // An account stays what it is, and for ever.
  accounts: { update: ['balance_paise', 'version', 'updated_at'] },
  entries: {},
  // What was proved stays; that it was read again is noted.
  ledger_months: { update: ['read_at', 'sound'] },
  refusals: {},
  transfers: {},
};
