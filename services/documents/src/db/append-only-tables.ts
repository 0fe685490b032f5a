import type { AppendOnlyTables } from '@karaar/platform/db-kit';

/** Tables to which the service may only add rows, and the columns that it may change anyway. */
export const appendOnlyTables: AppendOnlyTables = {
  approval_signatures: { delete: true },
  approvals: { update: ['withdrawn_at'], delete: true },
  // A reason is erased with its author's account.
  document_events: { update: ['reason'] },
  log_checkpoints: {},
  log_cosignatures: {},
  log_entries: {},
  log_restarts: {},
  // A tile grows.
  log_tiles: { update: ['hashes'] },
  // Names are erased with the account, where no agreement carries them.
  party_names: { delete: true },
  // An author's name is erased with the account.
  pricing: { update: ['author_name'] },
  pricing_editing: {},
  seal_certificates: {},
  // Its place in the log comes later.
  signing_key_entries: { update: ['entry_index'] },
};
