import type { AppendOnlyTables } from '@karaar/db';

/** Append-only tables, each with the columns that the service may still change. */
export const appendOnlyTables: AppendOnlyTables = {
  admin_audit: {},
};
