import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables whose rows the service may add and not change, and what it may change in them after all. */
export const keptTables: KeptTables = {};
