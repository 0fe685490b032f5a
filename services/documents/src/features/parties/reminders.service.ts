/** How often Karaar reminds the parties: the creator's choice, not part of the agreement or its history. */
import type { ReminderRhythm } from '@karaar/contracts/documents/http';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { requireOpen, requirePrimary } from '../agreements/rules/agreement.ts';
import { saveReminders } from '../agreements/agreements.repository.ts';
import { getDocument } from '../agreements/agreements.service.ts';
import { changeAgreement } from '../agreements/transition.ts';

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
