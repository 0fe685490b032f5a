import { toRupees } from '@karaar/contracts/charge';
import type { Reversal } from '@karaar/contracts/payments/http';
import type { ReversalLine } from './reversals.repository.ts';

export const presentReversal = (line: ReversalLine, viewer: string): Reversal => ({
  reversal_id: line.id,
  payment_id: line.payment_id,
  document_id: line.document_id,
  document_name: line.document_name,
  user_id: line.user_id,
  user_name: line.user_name || 'Unknown User',
  char_id: line.char_id ?? '',
  amount: toRupees(line.amount_paise),
  reason: line.reason,
  state: line.state,
  two_people: line.two_people,
  mine: line.requested_by === viewer,
  requested_by: line.requested_by_name,
  requested_at: line.requested_at.toISOString(),
  confirmed_by: line.confirmed_by_name,
  declined_by: line.declined_by_name,
  decline_reason: line.decline_reason,
  decided_at: line.decided_at?.toISOString() ?? null,
  done_at: line.done_at?.toISOString() ?? null,
});
