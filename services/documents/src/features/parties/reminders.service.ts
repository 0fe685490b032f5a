/** How often Karaar reminds by itself of a document: its creator's choice, no part of what is agreed and of no history. */
import type { ReminderRhythm } from '@karaar/contracts/documents/http';
import { inTransaction } from '@karaar/platform/db-kit';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { requireOpen, requirePrimary } from '../agreements/rules/agreement.ts';
import { documentNotFound } from '../agreements/rules/agreement.errors.ts';
import { lockAgreement, saveReminders } from '../agreements/agreements.repository.ts';
import { getDocument } from '../agreements/agreements.service.ts';

/** Throws 404 for an unknown document, 403 unless the creator asks, 409 once nobody's answer is awaited any more. */
export async function chooseReminders(
  ctx: Context,
  caller: Caller,
  id: string,
  reminders: ReminderRhythm,
): Promise<void> {
  await getDocument(ctx, caller.userId, id);
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked) throw documentNotFound();
    requirePrimary(locked.agreement, caller.userId);
    requireOpen(locked.agreement);
    await saveReminders(tx, id, reminders);
  });
}
