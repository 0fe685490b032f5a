import type { Document } from '@karaar/contracts/documents/http';

/** Returns true if this user can finalize the document, or has a finalization to follow. */
export const hasFinalizeCard = (
  { status, primary_user, finalization }: Pick<Document, 'status' | 'primary_user' | 'finalization'>,
  userId: string,
): boolean =>
  status !== 'rejected' && (primary_user === userId || status === 'finalized' || finalization !== null);
