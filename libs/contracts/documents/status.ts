/** The states of a document (spec §4), in the order in which people meet them. */
export const DOCUMENT_STATUSES = [
  'draft',
  'pending',
  'pending_approval',
  'approved',
  'finalized',
  'rejected',
] as const;
