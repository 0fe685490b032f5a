import type { AppendOnlyTables } from '@karaar/platform/db-kit';

/** Tables to which the service may only add rows, and the columns that it may change anyway. */
export const appendOnlyTables: AppendOnlyTables = {
  admin_audit: {},
};
