import type { AppendOnlyTables } from '@karaar/db';

export const appendOnlyTables: AppendOnlyTables = {
  // The request itself never changes; these columns record its outcome.
  reversals: {
    update: [
      ...['state', 'confirmed_by', 'confirmed_by_name', 'declined_by', 'declined_by_name', 'decline_reason'],
      ...['decided_at', 'transfer_id', 'done_at'],
    ],
  },
};
