import type { AppendOnlyTables } from '@karaar/db';

export const appendOnlyTables: AppendOnlyTables = {
  page_versions: {},
};
