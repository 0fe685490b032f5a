import { toRupees } from '@karaar/contracts/charge';
import type { RpcResponse } from '@karaar/contracts/kit';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { withdraw, type Agreement } from '../agreements/rules/agreement.ts';
import { changedTooOften, shareTaken } from '../agreements/rules/agreement.errors.ts';
import { partyName, type DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { leftSince } from '../agreements/agreement-events.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { changeAgreement, decideOn, VersionMoved } from '../agreements/transition.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { queueNews } from '../text-messages/text-messages.service.ts';
import { reasonOf } from './answers.service.ts';

const ATTEMPTS = 5;

type Message = { message: string };
type Taken = RpcResponse<typeof paymentsRpc.stopCharge>['taken'];

/**
 * Takes the caller off the document, which is possible until a share is paid. Throws 409 with a share that is
 * paid or being paid, 403 for the creator and for users who are not involved, 503 while payments is down.
 *
 * Payments first stops charging for this version of the document. The withdrawal then applies to exactly this
 * version, or starts again if the document has changed, so that no payment comes in between.
 */
export async function withdrawFrom(
  ctx: Context,
  caller: Caller,
  id: string,
  reasonText: string | undefined,
  remember: Remember<Message>,
): Promise<Message> {
  const answer = { message: 'You have withdrawn from the document.' };
  const actor = { actorId: caller.userId, caller };
  const rule = (agreement: Agreement) => withdraw(agreement, caller.userId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { record } = await getDocument(ctx, caller.userId, id);
    const { id: documentId, version, primary_user: primaryUser } = record.document;
    // A repeated request: the first one has succeeded.
    if (await leftSince(ctx.db, documentId, caller.userId, caller.since)) return answer;
    await decideOn(ctx.db, agreementOf(record), actor, rule);
    const { taken } = await ctx.bus.request(paymentsRpc.stopCharge, { document_id: documentId, version });
    if (taken.length > 0) throw shareTaken(wordsOf(record, taken));
    const reason = reasonOf(reasonText);
    try {
      await changeAgreement(ctx, id, actor, async (change) => {
        change.requireVersion(version);
        const next = await change.decide(rule);
        const news = { documentId, userId: primaryUser, senderId: caller.userId, language: null };
        await queueNews(ctx, change.tx, 'withdrawn', news);
        await remember(change.tx, answer);
        await change.save(next, { type: 'party.withdrawn', detail: 'Withdrew from the document', reason });
      });
      ctx.textMessages.wake();
      return answer;
    } catch (error) {
      if (!(error instanceof VersionMoved)) throw error;
    }
  }
  throw changedTooOften();
}

/** Returns a sentence for each share that prevents the act. */
export function wordsOf(record: DocumentRecord, taken: Taken): string {
  return taken
    .map(({ user_id, amount_paise, state }) => {
      const name = partyName(record, user_id);
      const amount = `₹${toRupees(amount_paise).toFixed(2)}`;
      if (state === 'open') return `${name} has a share of ${amount} in the charge.`;
      return state === 'paid'
        ? `${name} has paid ${amount}.`
        : `${name}'s payment of ${amount} is under way.`;
    })
    .join(' ');
}
