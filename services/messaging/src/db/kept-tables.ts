import type { KeptTables } from '@karaar/platform/db-kit';

/** Append-only tables, with the columns that the service may still change. */
export const keptTables: KeptTables = {};
