import type { KeptTables } from '@karaar/platform/db-kit';

export const keptTables: KeptTables = {};
