import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables whose rows the service may add and not change, and what it may change in them after all. */
export const keptTables: KeptTables = {
  // What was asked for stays; what becomes of it is written once it is known.
  reversals: {
    update: [
      ...['state', 'confirmed_by', 'confirmed_by_name', 'declined_by', 'declined_by_name', 'decline_reason'],
      ...['decided_at', 'transfer_id', 'done_at'],
    ],
  },
};
