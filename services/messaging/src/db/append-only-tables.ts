import type { AppendOnlyTables } from '@karaar/platform/db-kit';

export const appendOnlyTables: AppendOnlyTables = {};
