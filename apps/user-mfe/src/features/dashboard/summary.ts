/** What the dashboard says about a list of documents; pure. */
import type { Document } from '@karaar/contracts/documents/http';

export type Counters = { total: number; approved: number; pending: number; finalized: number };

/** All documents, and those in status approved, pending and finalized. */
export function countDocuments(documents: readonly Pick<Document, 'status'>[]): Counters {
  const inStatus = (status: Document['status']) => documents.filter((each) => each.status === status).length;
  return {
    total: documents.length,
    approved: inStatus('approved'),
    pending: inStatus('pending'),
    finalized: inStatus('finalized'),
  };
}

/** Whom a row's chat link leads to: the first involved user who is not the current one, if there are several. */
export function chatPartner(involvedUsers: readonly string[], userId: string): string | null {
  if (involvedUsers.length <= 1) return null;
  return involvedUsers.find((each) => each !== userId) ?? null;
}
