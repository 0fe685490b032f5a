/** The acts of Karaar while answers are missing, as the creator chose. They are not part of the agreement. */
import type { ReminderRhythm } from '@karaar/contracts/documents/http';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { requireOpen, requirePrimary } from '../agreements/rules/agreement.ts';
import { saveCancelLate, saveReminders } from '../agreements/agreements.repository.ts';
import { getDocument } from '../agreements/agreements.service.ts';
import { cancelLateLine } from '../agreements/rules/answer-by.ts';
import { changeAgreement, recordFact } from '../agreements/transition.ts';

/** Throws 404 for an unknown document, 403 unless the creator asks, 409 unless the agreement can change. */
export async function chooseReminders(
  ctx: Context,
  caller: Caller,
  id: string,
  reminders: ReminderRhythm,
): Promise<void> {
  await getDocument(ctx, caller.userId, id);
  await changeAgreement(ctx, id, { actorId: caller.userId, caller }, async ({ tx, before }) => {
    requirePrimary(before, caller.userId);
    requireOpen(before);
    await saveReminders(tx, id, reminders);
  });
}

/**
 * Sets whether Karaar cancels the document after an answer-by date that passes without the answer. The parties see
 * that, and the history records it. Throws as {@link chooseReminders}.
 */
export async function chooseCancelLate(
  ctx: Context,
  caller: Caller,
  id: string,
  cancels: boolean,
): Promise<void> {
  await getDocument(ctx, caller.userId, id);
  const { userId: actorId, origin } = caller;
  await changeAgreement(ctx, id, { actorId, caller }, async ({ tx, before }) => {
    requirePrimary(before, actorId);
    requireOpen(before);
    if (!(await saveCancelLate(tx, id, cancels))) return;
    const detail = cancelLateLine(cancels);
    await recordFact(ctx, tx, before, { type: 'document.cancel_late', actorId, origin, detail });
  });
}
