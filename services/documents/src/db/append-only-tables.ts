import type { AppendOnlyTables } from '@karaar/db';

/** Tables to which the service may only add rows, with the exceptions. */
export const appendOnlyTables: AppendOnlyTables = {
  approval_signatures: { delete: true },
  approvals: { update: ['withdrawn_at'], delete: true },
  // The reason is erased with its author's account.
  document_events: { update: ['reason'] },
  log_checkpoints: {},
  log_cosignatures: {},
  log_entries: {},
  log_restarts: {},
  // A tile grows until it is full.
  log_tiles: { update: ['hashes'] },
  // Names that no agreement contains are erased with the account.
  party_names: { delete: true },
  // The author's name is erased with the account.
  pricing: { update: ['author_name'] },
  pricing_editing: {},
  seal_certificates: {},
  // The entry gets its place in the log later.
  signing_key_entries: { update: ['entry_index'] },
};
