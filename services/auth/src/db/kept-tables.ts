import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables to which the service may only add rows, and the columns that it may change all the same. */
export const keptTables: KeptTables = {
  admin_audit: {},
};
