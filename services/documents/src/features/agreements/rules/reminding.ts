/** Pure rule: the primary user may remind a party while its answer is awaited, at most once in 24 hours. */
import type { DocumentStatus, PartyState } from '@karaar/contracts/documents/http';

export const REMINDER_PAUSE_MS = 24 * 60 * 60 * 1_000;

/** Returns when the next reminder is allowed (in the past: now); null if the party has nothing to answer. */
export function remindableAt(
  status: DocumentStatus,
  state: PartyState,
  lastReminded: Date | undefined,
): Date | null {
  if (state !== 'invited' && state !== 'admitted') return null;
  if (status !== 'pending' && status !== 'pending_approval') return null;
  return lastReminded ? new Date(lastReminded.getTime() + REMINDER_PAUSE_MS) : new Date(0);
}
