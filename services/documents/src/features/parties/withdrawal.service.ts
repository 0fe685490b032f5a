import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { withdraw } from '../agreements/rules/agreement.ts';
import { shareTaken } from '../agreements/rules/agreement.errors.ts';
import { leftSince } from '../agreements/agreement-events.repository.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { queueNews } from '../text-messages/text-messages.service.ts';
import { reasonOf } from './answers.service.ts';
import { changeWithChargeStopped } from './stopped-charge.ts';

type Message = { message: string };

/**
 * Takes the caller off the document, which is possible until a share is paid. Throws 409 with a share that is
 * paid or being paid, 403 for the creator and for users who are not involved, 503 while payments is down.
 */
export async function withdrawFrom(
  ctx: Context,
  caller: Caller,
  id: string,
  reasonText: string | undefined,
  remember: Remember<Message>,
): Promise<Message> {
  const answer = { message: 'You have withdrawn from the document.' };
  const { userId } = caller;
  await changeWithChargeStopped(ctx, userId, id, {
    actor: { actorId: userId, caller },
    rule: (agreement) => withdraw(agreement, userId),
    refuse: shareTaken,
    // A repeated request: the first one has succeeded.
    isDone: ({ document }) => leftSince(ctx.db, document.id, userId, caller.since),
    steps: async (change, next, { document }) => {
      const reason = reasonOf(reasonText);
      const creator = { documentId: document.id, userId: document.primary_user };
      await queueNews(ctx, change.tx, 'withdrawn', { ...creator, senderId: userId, language: null });
      await remember(change.tx, answer);
      await change.save(next, { type: 'party.withdrawn', detail: 'Withdrew from the document', reason });
    },
  });
  ctx.textMessages.wake();
  return answer;
}
