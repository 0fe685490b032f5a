import type { AppendOnlyTables } from '@karaar/db';

export const appendOnlyTables: AppendOnlyTables = {};
