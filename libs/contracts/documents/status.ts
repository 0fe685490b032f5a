/** The states of a document (spec §4), in the order in which they usually occur. */
export const DOCUMENT_STATUSES = [
  'draft',
  'pending',
  'pending_approval',
  'approved',
  'finalized',
  'rejected',
] as const;
