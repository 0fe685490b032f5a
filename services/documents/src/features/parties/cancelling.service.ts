import { readLines } from '@karaar/base/schema';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { fieldFault } from '../../errors.ts';
import { cancel } from '../agreements/rules/agreement.ts';
import { chargeTaken } from '../agreements/rules/agreement.errors.ts';
import { cancelInvitations } from '../agreements/open-invitations.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { changeWithChargeStopped } from './stopped-charge.ts';

type Message = { message: string };

/**
 * Cancels a document that was sent, for good: its open invitations end, and every party sees the reason. Throws 403
 * unless the creator asks, 422 without a reason, 409 for a draft, a sealed or a cancelled document, while it is being
 * finalized, and with a share that is paid or being paid; 503 while payments is down.
 */
export async function cancelDocument(
  ctx: Context,
  caller: Caller,
  id: string,
  reasonText: string,
  remember: Remember<Message>,
): Promise<Message> {
  const answer = { message: 'The document was cancelled.' };
  const reason = readLines('reason', reasonText);
  if (reason === '') throw fieldFault('reason', 'Write why you cancel the document');
  await changeWithChargeStopped(ctx, caller.userId, id, {
    actor: { actorId: caller.userId, caller },
    rule: (agreement) => cancel(agreement, caller.userId),
    refuse: chargeTaken,
    steps: async (change, cancelled) => {
      await cancelInvitations(change.tx, id);
      await remember(change.tx, answer);
      await change.save(cancelled, { type: 'document.cancelled', detail: 'Cancelled the document', reason });
    },
  });
  return answer;
}
