import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables whose rows the service may add and not change, and what it may change in them after all. */
export const keptTables: KeptTables = {
  approvals: { update: ['withdrawn_at'], delete: true },
  // A reason goes with the account of the one who gave it.
  document_events: { update: ['reason'] },
  log_checkpoints: {},
  log_cosignatures: {},
  log_entries: {},
  log_restarts: {},
  // A tile grows.
  log_tiles: { update: ['hashes'] },
  // An author's name goes with the account.
  pricing: { update: ['author_name'] },
  pricing_editing: {},
  seal_certificates: {},
};
